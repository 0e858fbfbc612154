package document

import (
	"bytes"

	"weft/internal/jsonval"
)

// Member is one key of a JSON object with its value as written.
type Member struct {
	Key   string
	Value []byte
}

// Members splits a JSON object into its members, in the order written. The
// values share data's memory. For another kind of value the error wraps
// jsonval.ErrKind.
func Members(data []byte) ([]Member, error) {
	var list []Member
	s := jsonval.NewScanner(data)
	err := s.Members(func(key string) error {
		raw, err := s.Skip()
		list = append(list, Member{key, raw})
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, s.End()
}

// Find returns the value of the first member with the key.
func Find(list []Member, key string) ([]byte, bool) {
	for _, m := range list {
		if m.Key == key {
			return m.Value, true
		}
	}
	return nil, false
}

// Merge sets members of base to those of over: a value replaces the one of the
// same key in its place or comes last, and a nil value removes the key.
func Merge(base, over []Member) []Member {
	out := append([]Member(nil), base...)
	for _, m := range over {
		at := -1
		for i := range out {
			if out[i].Key == m.Key {
				at = i
			}
		}
		switch {
		case m.Value == nil && at >= 0:
			out = append(out[:at], out[at+1:]...)
		case m.Value == nil:
		case at >= 0:
			out[at].Value = m.Value
		default:
			out = append(out, m)
		}
	}
	return out
}

// AppendObject writes an object of the members without spaces between them.
func AppendObject(dst []byte, list []Member) []byte {
	dst = append(dst, '{')
	for i, m := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonval.AppendString(dst, m.Key)
		dst = append(dst, ':')
		dst = append(dst, bytes.TrimSpace(m.Value)...)
	}
	return append(dst, '}')
}
