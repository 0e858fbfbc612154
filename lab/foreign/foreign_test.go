package foreign

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func read(t testing.TB, name string) []byte {
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestGoBench(t *testing.T) {
	f, err := Parse(read(t, "old.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := &File{
		Tool: "go test -bench",
		Settings: []Setting{
			{"goos", "linux"}, {"goarch", "amd64"}, {"pkg", "example.test/sort"}, {"cpu", "Example 3000"},
		},
		Benchmarks: []Benchmark{
			{"Sort-2", []Sample{
				{Values: map[string]float64{"ns/op": 1204511, "B/op": 4096, "allocs/op": 1}},
				{Values: map[string]float64{"ns/op": 1198200, "B/op": 4096, "allocs/op": 1}},
				{Values: map[string]float64{"ns/op": 1210034, "B/op": 4096, "allocs/op": 1}},
			}},
			{"Find/big-2", []Sample{
				{Values: map[string]float64{"ns/op": 2210, "MB/s": 452.49}},
				{Values: map[string]float64{"ns/op": 2198, "MB/s": 454.96}},
			}},
		},
	}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("got  %+v\nwant %+v", f, want)
	}
}

func TestHyperfine(t *testing.T) {
	f, err := Parse(read(t, "old.json"))
	if err != nil {
		t.Fatal(err)
	}
	if f.Tool != "hyperfine" || len(f.Benchmarks) != 2 {
		t.Fatalf("%+v", f)
	}
	old, later := f.Benchmarks[0], f.Benchmarks[1]
	if old.Name != "./old" || later.Name != "./new -n {n} n=12" {
		t.Errorf("names %q and %q", old.Name, later.Name)
	}
	want := Sample{Failed: true, Values: map[string]float64{"wall_ns": 106e6, "peak_rss_bytes": 4198400}}
	if !reflect.DeepEqual(old.Values[2], want) {
		t.Errorf("got %+v, want %+v", old.Values[2], want)
	}
	if !later.Values[2].Failed || later.Values[1].Failed {
		t.Errorf("a run that a signal ended did not fail, or another did: %+v", later.Values)
	}
}

func TestRefused(t *testing.T) {
	for _, bad := range []string{
		"", "{}", "{", `{"results":[]}`, `{"results":[{"command":"a","mean":1}]}`, `{"results":[{"command":"a","times":[-1]}]}`,
		`{"results":[{"command":"a","times":["1"]}]}`, "PASS\n", "BenchmarkA-2 0 12 ns/op", "BenchmarkA-2 10 twelve ns/op", "BenchmarkA-2 10 12",
		"BenchmarkA-2 10 Inf ns/op", "Benchmark 10 12 ns/op", strings.Repeat(" ", BytesMax+1),
	} {
		if f, err := Parse([]byte(bad)); !errors.Is(err, ErrFormat) {
			t.Errorf("%.60q: %+v, %v", bad, f, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(read(f, "old.txt"))
	f.Add(read(f, "old.json"))
	f.Add([]byte(`{"results":[{"command":"a","times":[1e300]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse(data)
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatalf("not an ErrFormat: %v", err)
			}
			return
		}
		if len(file.Benchmarks) == 0 {
			t.Fatal("nothing in it, and no error")
		}
		for _, b := range file.Benchmarks {
			if len(b.Values) == 0 {
				t.Fatalf("%q has no runs", b.Name)
			}
			for _, s := range b.Values {
				for name, v := range s.Values {
					if name == "" || !finite(v) {
						t.Fatalf("%q: %q is %g", b.Name, name, v)
					}
				}
			}
		}
	})
}
