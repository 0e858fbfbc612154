package tarball

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Fields that an extension may set. Of most only the fact counts: the header's own number is then not read, and so
// cannot be broken.
const (
	fieldPath byte = 1 << iota
	fieldLinkpath
	fieldSize
	fieldUID
	fieldGID
	fieldMtime
	fieldAtime
	fieldCtime
)

// extension is what PAX records and GNU long names said about the next entry, or, globally, about all that follow. A nil
// extension has no fields.
type extension struct {
	set            byte
	path, linkpath string
	size           float64
}

func (e *extension) has(field byte) bool { return e != nil && e.set&field != 0 }

// withPath and withLinkpath set one field, making the extension if there is none yet.
func (e *extension) withPath(path string) *extension {
	if e == nil {
		e = new(extension)
	}
	e.path = path
	e.set |= fieldPath
	return e
}

func (e *extension) withLinkpath(path string) *extension {
	if e == nil {
		e = new(extension)
	}
	e.linkpath = path
	e.set |= fieldLinkpath
	return e
}

// mergePax returns base overridden by the records of a PAX body. Records are lines here, as npm has it: one whose value
// holds a line break does not have the length it announces and is ignored.
func mergePax(base *extension, body string) *extension {
	merged := new(extension)
	if base != nil {
		*merged = *base
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(body, "\n"), "\n") {
		merged.record(line)
	}
	return merged
}

func (e *extension) record(line string) {
	n, ok := parseInt(line, 10)
	if !ok || n != float64(len(line)+1) {
		return
	}
	line = dropUnits(line, len(strconv.FormatFloat(n, 'f', -1, 64))+1)
	key, value, _ := strings.Cut(line, "=")
	value = cutNUL(value)
	switch key {
	case "path":
		e.withPath(value)
	case "linkpath":
		e.withLinkpath(value)
	case "size":
		if size := number(value); size >= 0 {
			e.size = size
			e.set |= fieldSize
		}
	case "uid":
		e.set |= fieldUID
	case "gid":
		e.set |= fieldGID
	case "mtime":
		e.set |= fieldMtime
	case "atime":
		e.set |= fieldAtime
	case "ctime":
		e.set |= fieldCtime
	}
}

// dropUnits removes n UTF-16 units from the head of s, which is how JavaScript counts.
func dropUnits(s string, n int) string {
	for n > 0 && s != "" {
		r, size := utf8.DecodeRuneInString(s)
		n -= utf16.RuneLen(r)
		s = s[size:]
	}
	return s
}
