package packument

import (
	"fmt"
	"slices"
	"unsafe"

	"weft/internal/jsonval"
)

// Parse indexes a document, abbreviated or full. The Packument keeps data, which must not change from then on.
//
// Only the structure is checked: a manifest that is broken inside shows when it is asked for. The error wraps
// ErrNotObject, ErrTooLarge or what jsonval says of text that is not JSON.
func Parse(data []byte) (*Packument, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("read packument of %d bytes: %w", len(data), ErrTooLarge)
	}
	p := &Packument{text: unsafe.String(unsafe.SliceData(data), len(data))}
	s := jsonval.NewScanner(data)
	if kind, ok := s.Kind(); ok && kind != jsonval.Object {
		return nil, fmt.Errorf("read packument: %w but %s", ErrNotObject, kind)
	}
	err := s.Members(func(key string) error { return p.field(s, key) })
	if err == nil {
		err = s.End()
	}
	if err != nil {
		return nil, fmt.Errorf("read packument: %w", err)
	}
	return p, nil
}

// field reads one member of the document, if it is one that matters.
func (p *Packument) field(s *jsonval.Scanner, key string) error {
	kind, _ := s.Kind()
	var err error
	switch key {
	case "name":
		p.Name = ""
		if kind == jsonval.String {
			p.Name, err = s.Str()
		}
	case "modified":
		if kind == jsonval.String {
			p.Modified, err = s.Str()
		}
	case "dist-tags":
		p.tags = nil
		if kind == jsonval.Object {
			p.tags, err = readTags(s)
		}
	case "time":
		p.times.raw = ""
		if kind == jsonval.Object {
			var raw []byte
			raw, err = s.Skip()
			p.times.raw = share(raw)
		}
	case "versions":
		p.versions = versions{}
		if kind == jsonval.Object {
			err = p.versions.read(s)
		}
	case "stagedVersions":
		err = p.staged.readNested(s, kind, nil)
	case "policyRestrictions":
		p.restriction = ""
		err = p.restricted.readNested(s, kind, &p.restriction)
	}
	return err
}

// share gives the bytes of the document as a string without copying.
func share(raw []byte) string { return unsafe.String(unsafe.SliceData(raw), len(raw)) }

// read indexes an object of manifests. What is no object is passed over.
func (v *versions) read(s *jsonval.Scanner) error {
	integers := false
	err := s.Members(func(key string) error {
		kind, _ := s.Kind()
		raw, err := s.Skip()
		if err != nil {
			return err
		}
		end := s.Pos()
		e := entry{key: key, start: uint32(end - len(raw)), end: uint32(end)}
		i, known := v.find(key)
		switch {
		case known:
			// A key given twice keeps its first place and takes its last value.
			if kind != jsonval.Object {
				e.end = e.start
			}
			v.list[i].start, v.list[i].end = e.start, e.end
		case kind == jsonval.Object:
			_, integer := jsonval.IndexKey(key)
			integers = integers || integer
			v.list = append(v.list, e)
			v.index.put(v.list, len(v.list)-1)
		}
		return nil
	})
	if err != nil {
		return err
	}
	v.tidy(integers)
	return nil
}

// tidy removes what a repeated key has emptied and puts integer keys first, as JavaScript orders them.
// Neither occurs in documents of real registries.
func (v *versions) tidy(integers bool) {
	empty := func(e entry) bool { return e.start == e.end }
	if !integers && !slices.ContainsFunc(v.list, empty) {
		return
	}
	v.list = slices.DeleteFunc(v.list, empty)
	slices.SortStableFunc(v.list, func(a, b entry) int {
		x, xInt := jsonval.IndexKey(a.key)
		y, yInt := jsonval.IndexKey(b.key)
		switch {
		case xInt && yInt:
			return int(int64(x) - int64(y))
		case xInt:
			return -1
		case yInt:
			return 1
		}
		return 0
	})
	v.index = keyIndex{}
	v.index.grow(v.list)
}

// readNested reads an object that has manifests under "versions", and perhaps a message.
func (v *versions) readNested(s *jsonval.Scanner, kind jsonval.Kind, message *string) error {
	v.list, v.index = nil, keyIndex{}
	if kind != jsonval.Object {
		return nil
	}
	return s.Members(func(key string) error {
		kind, _ := s.Kind()
		var err error
		switch {
		case key == "versions":
			v.list, v.index = nil, keyIndex{}
			if kind == jsonval.Object {
				err = v.read(s)
			}
		case key == "message" && message != nil && kind == jsonval.String:
			*message, err = s.Str()
		}
		return err
	})
}

// readTags reads the dist-tags; those that are no strings are left out.
func readTags(s *jsonval.Scanner) ([]Tag, error) {
	value, err := s.Value()
	if err != nil {
		return nil, err
	}
	var tags []Tag
	for _, m := range value.Members() {
		if version, ok := m.Value.Str(); ok {
			tags = append(tags, Tag{m.Key, version})
		}
	}
	return tags, nil
}
