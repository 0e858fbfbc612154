package foreign

import (
	"fmt"
	"strconv"
	"strings"
)

// GoBench reads the text that `go test -bench` prints, as the Go project's
// benchmark data format has it (golang.org/design/14313-benchmark-format):
//
//	goos: linux
//	BenchmarkName-8   1000   1234 ns/op   56 B/op   7 allocs/op
//
// Lines of one name, whatever their number, are runs of one benchmark. Units
// become metric names as they are. All other lines, as test output has them,
// are passed over. It fails with ErrFormat where there is no benchmark at all.
func GoBench(data []byte) (*File, error) {
	if len(data) > BytesMax {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrFormat, BytesMax)
	}
	f := &File{Tool: "go test -bench"}
	at := map[string]int{}
	values, number := 0, 0
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if key, value, ok := setting(line); ok {
			if len(f.Settings) < 100 {
				f.Settings = append(f.Settings, Setting{key, value})
			}
			continue
		}
		name, sample, ok := goLine(line)
		if !ok {
			continue
		}
		i, known := at[name]
		if !known {
			if len(f.Benchmarks) == BenchmarksMax {
				return nil, fmt.Errorf("%w: line %d: more than %d benchmarks", ErrFormat, number, BenchmarksMax)
			}
			i = len(f.Benchmarks)
			at[name] = i
			f.Benchmarks = append(f.Benchmarks, Benchmark{Name: name})
		}
		if values++; values > ValuesMax {
			return nil, fmt.Errorf("%w: line %d: more than %d runs", ErrFormat, number, ValuesMax)
		}
		f.Benchmarks[i].Values = append(f.Benchmarks[i].Values, sample)
	}
	if len(f.Benchmarks) == 0 {
		return nil, fmt.Errorf("%w: neither hyperfine's JSON nor a line of `go test -bench`", ErrFormat)
	}
	return f, nil
}

// setting reads a line such as "goos: linux": the key is in lower case.
func setting(line string) (key, value string, ok bool) {
	key, value, found := strings.Cut(line, ": ")
	if !found || key == "" || strings.ToLower(key) != key || strings.ContainsAny(key, " \t") {
		return "", "", false
	}
	return key, strings.TrimSpace(value), true
}

// goLine reads the line of a result: name, iterations, and pairs of a value and
// a unit.
func goLine(line string) (name string, s Sample, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 4 || len(fields)%2 != 0 || !strings.HasPrefix(fields[0], "Benchmark") {
		return "", s, false
	}
	if n, err := strconv.ParseUint(fields[1], 10, 64); err != nil || n == 0 {
		return "", s, false
	}
	s.Values = map[string]float64{}
	for i := 2; i+1 < len(fields); i += 2 {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil || !finite(v) {
			return "", s, false
		}
		s.Values[fields[i+1]] = v
	}
	name = strings.TrimPrefix(fields[0], "Benchmark")
	if name == "" {
		return "", s, false
	}
	return name, s, true
}
