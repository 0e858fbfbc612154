package foreign

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Hyperfine reads what hyperfine --export-json writes: an object whose results
// have a command and its times in seconds; memory_usage_byte and exit_codes are
// taken where they are. User and system times are means over the runs there and
// of no use. It fails with ErrFormat.
func Hyperfine(data []byte) (*File, error) {
	var doc struct {
		Results []struct {
			Command    string         `json:"command"`
			Times      []float64      `json:"times"`
			Memory     []float64      `json:"memory_usage_byte"`
			ExitCodes  []*int         `json:"exit_codes"`
			Parameters map[string]any `json:"parameters"`
		} `json:"results"`
	}
	if len(data) > BytesMax {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrFormat, BytesMax)
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%w: hyperfine's JSON: %w", ErrFormat, err)
	}
	if len(doc.Results) == 0 || len(doc.Results) > BenchmarksMax {
		return nil, fmt.Errorf("%w: hyperfine's JSON has %d results", ErrFormat, len(doc.Results))
	}
	f := &File{Tool: "hyperfine"}
	for i, r := range doc.Results {
		if len(r.Times) == 0 {
			return nil, fmt.Errorf("%w: result %d, %q, has no times: it was exported as a summary", ErrFormat, i+1, r.Command)
		}
		b := Benchmark{Name: r.Command}
		for _, key := range slices.Sorted(maps.Keys(r.Parameters)) {
			if text := fmt.Sprint(r.Parameters[key]); !strings.Contains(r.Command, text) {
				b.Name += " " + key + "=" + text
			}
		}
		for k, seconds := range r.Times {
			if !finite(1e9*seconds) || seconds < 0 {
				return nil, fmt.Errorf("%w: result %d, time %d is %g", ErrFormat, i+1, k+1, seconds)
			}
			s := Sample{Values: map[string]float64{"wall_ns": 1e9 * seconds}}
			if k < len(r.Memory) && finite(r.Memory[k]) && r.Memory[k] > 0 {
				s.Values["peak_rss_bytes"] = r.Memory[k]
			}
			if k < len(r.ExitCodes) {
				// null is a run that a signal ended.
				s.Failed = r.ExitCodes[k] == nil || *r.ExitCodes[k] != 0
			}
			b.Values = append(b.Values, s)
		}
		f.Benchmarks = append(f.Benchmarks, b)
	}
	return f, nil
}
