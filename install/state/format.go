package state

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	header = "weft state 1"
	// maxItems bounds what a damaged or hostile record can make us hold: ten
	// times the largest projects known.
	maxItems = 1 << 20
	// maxBytes bounds how much of it is read.
	maxBytes = 256 << 20
)

// ErrDamaged is the error of a record that is not whole.
var ErrDamaged = errors.New("state: record is damaged")

// Marshal gives the record's text. Its last line is a count, so that a cut file
// is noticed.
func (r *Record) Marshal() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\nsettings %s\npackages %d\n", header, strconv.Quote(r.Settings), r.Packages)
	for _, in := range r.Inputs {
		fmt.Fprintf(&b, "input %s %s %s\n", in.Hash, strconv.Quote(in.Stamp), strconv.Quote(in.Path))
	}
	for _, e := range r.Entries {
		fmt.Fprintf(&b, "entry %s %s %s\n", strconv.Quote(e.Identity), strconv.Quote(e.Target), strconv.Quote(e.Path))
	}
	fmt.Fprintf(&b, "end %d\n", len(r.Inputs)+len(r.Entries))
	return b.Bytes()
}

// Parse reads a record's text. ErrDamaged if it is anything but whole.
func Parse(data []byte) (*Record, error) {
	r := new(Record)
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(make([]byte, 0, 4096), 1<<20)
	if !lines.Scan() || lines.Text() != header {
		return nil, fmt.Errorf("%w: no header", ErrDamaged)
	}
	for n := 2; lines.Scan(); n++ {
		kind, rest, _ := strings.Cut(lines.Text(), " ")
		if kind == "end" {
			return r, r.parseEnd(rest, lines.Scan())
		}
		if err := r.parseLine(kind, rest); err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrDamaged, n, err)
		}
		if len(r.Inputs)+len(r.Entries) > maxItems {
			return nil, fmt.Errorf("%w: more than %d items", ErrDamaged, maxItems)
		}
	}
	return nil, fmt.Errorf("%w: no end", ErrDamaged)
}

func (r *Record) parseEnd(rest string, more bool) error {
	if n, err := strconv.Atoi(rest); err != nil || n != len(r.Inputs)+len(r.Entries) || more {
		return fmt.Errorf("%w: wrong end", ErrDamaged)
	}
	return nil
}

func (r *Record) parseLine(kind, rest string) (err error) {
	switch kind {
	case "settings":
		r.Settings, _, err = quoted(rest)
	case "packages":
		r.Packages, err = strconv.Atoi(rest)
	case "input":
		var in Input
		in.Hash, rest, _ = strings.Cut(rest, " ")
		if in.Stamp, rest, err = quoted(rest); err == nil {
			in.Path, _, err = quoted(rest)
		}
		r.Inputs = append(r.Inputs, in)
	case "entry":
		var e Entry
		if e.Identity, rest, err = quoted(rest); err == nil {
			if e.Target, rest, err = quoted(rest); err == nil {
				e.Path, _, err = quoted(rest)
			}
		}
		r.Entries = append(r.Entries, e)
	default:
		err = fmt.Errorf("unknown item %q", kind)
	}
	return err
}

// quoted takes a quoted string off the front of s, and the space behind it.
func quoted(s string) (value, rest string, err error) {
	q, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", "", err
	}
	value, err = strconv.Unquote(q)
	return value, strings.TrimPrefix(s[len(q):], " "), err
}

// Read loads the record of the project in dir. Its error is that of opening the
// file, or ErrDamaged; either way the caller goes on without a record.
func Read(dir string) (*Record, error) {
	f, err := os.Open(resolve(dir, File))
	if err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	if len(data) > maxBytes {
		return nil, fmt.Errorf("%w: larger than %d bytes", ErrDamaged, maxBytes)
	}
	return Parse(data)
}

// Write stores the record of the project in dir, whole or not at all.
func (r *Record) Write(dir string) error {
	full := resolve(dir, File)
	f, err := os.CreateTemp(filepath.Dir(full), ".weft-state-*")
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	_, err = f.Write(r.Marshal())
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), full)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("state: %w", err)
	}
	return nil
}

// Suspend makes the record vouch for nothing any more, so that an install that is
// cut short leaves none that would. Its entries stay: they still tell what was
// replaced by others. Where there was none, or none that can be read, an empty one
// is left: see [Record.Unfinished]. It makes node_modules where there is nothing.
func Suspend(dir string) error {
	r, err := Read(dir)
	if err != nil {
		r = new(Record)
	}
	r.Settings = ""
	modules := filepath.Dir(resolve(dir, File))
	if err := os.Mkdir(modules, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("state: %w", err)
	}
	if st, err := os.Lstat(modules); err != nil || !st.IsDir() {
		return nil // whatever it is, the install replaces it
	}
	return r.Write(dir)
}

// Unfinished reports whether the record is that of a first install that was cut
// short: what lies in node_modules was put there by weft, and nothing says where
// it came from.
func (r *Record) Unfinished() bool {
	return r != nil && r.Settings == "" && len(r.Entries) == 0
}
