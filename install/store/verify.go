package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
)

// Damage says what is wrong with one file of a package.
type Damage struct {
	// Path is relative to the package folder.
	Path string
	// Cause is fs.ErrNotExist for a file that is gone, another file error, or nil if the content or the mode changed.
	Cause error
}

// CorruptError lists the damaged files of a package; errors.Is holds for ErrCorrupt.
type CorruptError struct {
	Key   string
	Files []Damage
}

// Error names the first damaged file.
func (e *CorruptError) Error() string {
	what := "has changed"
	if cause := e.Files[0].Cause; errors.Is(cause, fs.ErrNotExist) {
		what = "is gone"
	} else if cause != nil {
		what = cause.Error()
	}
	more := ""
	if len(e.Files) > 1 {
		more = fmt.Sprintf(" (and %d more)", len(e.Files)-1)
	}
	return fmt.Sprintf("%s: %v: %s %s%s", e.Key, ErrCorrupt, e.Files[0].Path, what, more)
}

// Is makes every CorruptError an ErrCorrupt.
func (e *CorruptError) Is(target error) bool { return target == ErrCorrupt }

// Verify reads every file of a package and compares it with the index: content, size and mode. The error is a
// *CorruptError that lists what differs, or as for Get.
func (s *Store) Verify(key string) error {
	p, err := s.Get(key)
	if err != nil {
		return err
	}
	dir, err := p.Open()
	if err != nil {
		return err
	}
	defer dir.Close()
	corrupt := &CorruptError{Key: key}
	var buf []byte
	for _, f := range p.Files {
		info, err := dir.Lstat(f.Path)
		if err == nil && !info.Mode.IsRegular() {
			err = fs.ErrInvalid
		}
		if err == nil && modesKept && info.Mode.Perm() != f.Mode {
			corrupt.Files = append(corrupt.Files, Damage{Path: f.Path})
			continue
		}
		if err == nil {
			buf, err = dir.Read(f.Path, buf[:0], int(min(f.Size, math.MaxInt-1)))
		}
		switch {
		case errors.Is(err, io.ErrShortBuffer) || err == nil && (int64(len(buf)) != f.Size || checksum(buf) != f.Hash):
			corrupt.Files = append(corrupt.Files, Damage{Path: f.Path})
		case err != nil:
			corrupt.Files = append(corrupt.Files, Damage{Path: f.Path, Cause: err})
		}
	}
	if len(corrupt.Files) > 0 {
		return corrupt
	}
	return nil
}
