package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
)

// differencesMax bounds what Differences lists.
const differencesMax = 50

// Differences compares a stored JSON document with the one that d makes now,
// figure by figure, and lists what is not the same: "result.series[0].runs:
// stored 30, recomputed 29". It fails where the stored document is no JSON.
func Differences(stored []byte, d Data) ([]string, error) {
	var b bytes.Buffer
	if err := JSON(&b, d); err != nil {
		return nil, err
	}
	was, err := decode(stored)
	if err != nil {
		return nil, fmt.Errorf("report: the stored document: %w", err)
	}
	now, err := decode(b.Bytes())
	if err != nil {
		return nil, err
	}
	var found []string
	differ(&found, "", was, now)
	return found, nil
}

func decode(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("something follows the document")
	}
	return v, nil
}

func differ(found *[]string, path string, was, now any) {
	if len(*found) >= differencesMax {
		return
	}
	switch a := was.(type) {
	case map[string]any:
		if b, ok := now.(map[string]any); ok {
			keys := map[string]bool{}
			for k := range a {
				keys[k] = true
			}
			for k := range b {
				keys[k] = true
			}
			for _, k := range slices.Sorted(maps.Keys(keys)) {
				under := k
				if path != "" {
					under = path + "." + k
				}
				differ(found, under, a[k], b[k])
			}
			return
		}
	case []any:
		if b, ok := now.([]any); ok {
			for i := range max(len(a), len(b)) {
				differ(found, fmt.Sprintf("%s[%d]", path, i), item(a, i), item(b, i))
			}
			return
		}
	default:
		if was == now {
			return
		}
	}
	*found = append(*found, fmt.Sprintf("%s: stored %s, recomputed %s", path, show(was), show(now)))
}

func item(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// show writes a value briefly.
func show(v any) string {
	switch v.(type) {
	case nil:
		return "nothing"
	case map[string]any, []any:
		return "something else"
	}
	text, err := json.Marshal(v)
	if err != nil || len(text) > 60 {
		return "a long text"
	}
	return string(text)
}
