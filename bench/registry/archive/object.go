package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// member is one key of a JSON object with its value as written.
type member struct {
	key   string
	value json.RawMessage
}

var errNotObject = errors.New("not a JSON object")

// members splits a JSON object into its members, in the order written.
func members(data []byte) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	open, err := dec.Token()
	if err != nil {
		return nil, err
	}
	if open != json.Delim('{') {
		return nil, errNotObject
	}
	var list []member
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var m member
		m.key, _ = key.(string)
		if err := dec.Decode(&m.value); err != nil {
			return nil, fmt.Errorf("value of %q: %w", m.key, err)
		}
		list = append(list, m)
	}
	return list, nil
}

// appendObject writes an object of the given members, compact.
func appendObject(dst []byte, list []member) ([]byte, error) {
	dst = append(dst, '{')
	for i, m := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendString(dst, m.key); err != nil {
			return nil, err
		}
		dst = append(dst, ':')
		dst = append(dst, m.value...)
	}
	return append(dst, '}'), nil
}

func appendString(dst []byte, s string) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return nil, err
	}
	return append(dst, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...), nil
}

func find(list []member, key string) (json.RawMessage, bool) {
	for _, m := range list {
		if m.key == key {
			return m.value, true
		}
	}
	return nil, false
}
