package tarball

import (
	"errors"
	"fmt"
	"io/fs"
)

// Conditions under which a tarball is refused. Each is wrapped, with "open tarball" in front; test with errors.Is.
var (
	// ErrGzip means that the compressed stream is damaged: a bad header, a wrong checksum, or an end too early.
	ErrGzip = errors.New("damaged gzip stream")
	// ErrFormat means that there is not one valid tar header, as in a tarball of zero bytes.
	ErrFormat = errors.New("not a tar archive")
	// ErrTruncated means that the tar ends inside the body of an entry.
	ErrTruncated = errors.New("tar ends inside an entry")
	// ErrTooLarge means that a limit of [Limits] was passed.
	ErrTooLarge = errors.New("tarball is larger than allowed")
)

// Limits bounds what foreign bytes can make [Open] do. A zero field means its default.
type Limits struct {
	// UnpackedBytes bounds the inflated tar. The default is 2 GiB.
	UnpackedBytes int64
	// Ratio bounds inflated bytes per compressed byte. The default is npm's, 1000.
	Ratio int64
	// Files bounds the number of files. The default is 500,000.
	Files int
}

const (
	defaultUnpackedBytes = 2 << 30
	defaultRatio         = 1000
	defaultFiles         = 500_000
)

func (l Limits) withDefaults() Limits {
	if l.UnpackedBytes <= 0 {
		l.UnpackedBytes = defaultUnpackedBytes
	}
	if l.Ratio <= 0 {
		l.Ratio = defaultRatio
	}
	if l.Files <= 0 {
		l.Files = defaultFiles
	}
	return l
}

// File is one regular file of a package.
type File struct {
	// Path is relative to the package folder, slash-separated and safe to join (see the package comment). It is valid
	// UTF-8 and is not normalised: composed and decomposed forms, and names that differ in case, stay two files.
	Path string
	// Mode holds permission bits only: 0644, with the archive's execute bits (npm's umask 022).
	Mode fs.FileMode
	// Data is the content, a slice of the archive's buffer. It must not be used after Release.
	Data []byte
}

// Archive is an opened tarball. It is not changed after Open, so any number of goroutines may read it.
type Archive struct {
	// Files lists the files in the order of their first entry. A folder exists only where a file needs it.
	Files []File
	// Skipped counts entries that were dropped because they could not be written safely or at all (".." in the path, a
	// name too long, a file below a file). Links and devices, which npm drops silently, are not counted.
	Skipped int

	buffer []byte
}

// Open inflates gz and lists its files. gz itself is only read and not kept, unless it is a plain tar: then Data are
// slices of gz. The caller has verified gz's integrity before. Open does not block on anything but the CPU and is safe
// for concurrent use; its errors wrap [ErrGzip], [ErrFormat], [ErrTruncated] or [ErrTooLarge].
func Open(gz []byte, limits Limits) (*Archive, error) {
	limits = limits.withDefaults()
	data, buffer := gz, []byte(nil)
	switch {
	case isGzip(gz):
		var err error
		if buffer, err = gunzip(gz, limits); err != nil {
			return nil, fmt.Errorf("open tarball: %w", err)
		}
		data = buffer
	case int64(len(gz)) > limits.UnpackedBytes:
		return nil, fmt.Errorf("open tarball: %w: %d bytes, limit %d", ErrTooLarge, len(gz), limits.UnpackedBytes)
	}
	r := newReader(data, 1, limits.Files)
	if err := r.run(); err != nil {
		buffers.put(buffer)
		return nil, fmt.Errorf("open tarball: %w", err)
	}
	return &Archive{Files: r.tree.files, Skipped: r.tree.skipped, buffer: buffer}, nil
}

// Lookup returns the file at path, and whether there is one.
func (a *Archive) Lookup(path string) (File, bool) {
	for _, f := range a.Files {
		if f.Path == path {
			return f, true
		}
	}
	return File{}, false
}

// Release gives the buffer behind every Data back for the next Open. The archive and its files must not be used
// afterwards, by anyone. It is optional, and may be called twice.
func (a *Archive) Release() {
	buffer := a.buffer
	a.buffer, a.Files = nil, nil
	buffers.put(buffer)
}
