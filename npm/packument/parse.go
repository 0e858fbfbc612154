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
	p := &Packument{text: share(data)}
	if err := p.read(data, spans); err != nil {
		return nil, err
	}
	return p, nil
}

// taker moves past a manifest, the value that comes next, and says where it is to be found.
type taker func(s *jsonval.Scanner, key string) (entry, error)

// spans is the taker that leaves manifests where they are.
func spans(s *jsonval.Scanner, key string) (entry, error) {
	raw, err := s.Skip()
	end := s.Pos()
	return entry{key: key, start: uint32(end - len(raw)), end: uint32(end)}, err
}

// read reads the document into p, its manifests by the taker.
func (p *Packument) read(data []byte, take taker) error {
	if len(data) > MaxSize {
		return fmt.Errorf("read packument of %d bytes: %w", len(data), ErrTooLarge)
	}
	s := jsonval.NewScanner(data)
	if kind, ok := s.Kind(); ok && kind != jsonval.Object {
		return fmt.Errorf("read packument: %w but %s", ErrNotObject, kind)
	}
	err := s.Members(func(key string) error { return p.field(s, key, take) })
	if err == nil {
		err = s.End()
	}
	if err != nil {
		return fmt.Errorf("read packument: %w", err)
	}
	return nil
}

// field reads one member of the document, if it is one that matters.
func (p *Packument) field(s *jsonval.Scanner, key string, take taker) error {
	kind, _ := s.Kind()
	var err error
	switch key {
	case "name":
		p.Name = ""
		if kind == jsonval.String {
			p.Name, err = s.Str()
		}
	case "modified":
		p.Modified = ""
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
		if p.times.stated = kind == jsonval.Object; p.times.stated {
			var raw []byte
			raw, err = s.Skip()
			p.times.raw = share(raw)
		}
	case "versions":
		p.versions = versions{}
		if kind == jsonval.Object {
			err = p.versions.read(s, take)
		}
	case "stagedVersions":
		err = p.staged.readNested(s, kind, take, nil)
	case "policyRestrictions":
		p.restriction = ""
		err = p.restricted.readNested(s, kind, take, &p.restriction)
	}
	return err
}

// share gives the bytes of the document as a string without copying.
func share(raw []byte) string { return unsafe.String(unsafe.SliceData(raw), len(raw)) }

// read indexes an object of manifests. What is no object is passed over.
func (v *versions) read(s *jsonval.Scanner, take taker) error {
	integers := false
	err := s.Members(func(key string) error {
		var e entry
		if kind, _ := s.Kind(); kind == jsonval.Object {
			var err error
			if e, err = take(s, key); err != nil {
				return err
			}
		}
		i, known := v.find(key)
		switch {
		case known:
			// A key given twice keeps its first place and takes its last value.
			e.key = key
			v.list[i] = e
		case e.end > 0:
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
func (v *versions) readNested(s *jsonval.Scanner, kind jsonval.Kind, take taker, message *string) error {
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
				err = v.read(s, take)
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
