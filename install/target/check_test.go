package target

import (
	"encoding/json"
	"errors"
	"os"
	"testing"
)

// row is one recorded call of npm's own suite: its arguments and its verdict.
type row struct {
	Args   []json.RawMessage
	Result struct {
		OK   bool
		Code string
	}
}

func rows(t *testing.T, file string) []row {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Rows []row }
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Rows) == 0 {
		t.Fatalf("%s has no rows", file)
	}
	return doc.Rows
}

// words decodes a string or a list of strings, as manifests have them; absent
// is nil.
type words []string

func (w *words) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*w = words{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(w))
}

func arg[T any](t *testing.T, r row, i int) (v T) {
	t.Helper()
	if i < len(r.Args) {
		if err := json.Unmarshal(r.Args[i], &v); err != nil {
			t.Fatalf("argument %d, %s: %v", i, r.Args[i], err)
		}
	}
	return v
}

func TestCheckPlatformRows(t *testing.T) {
	for i, r := range rows(t, "install-checks-checkPlatform.json") {
		pkg := arg[struct{ OS, CPU, Libc words }](t, r, 0)
		force := arg[bool](t, r, 1)
		env := arg[struct{ OS, CPU, Libc string }](t, r, 2)
		// The rows were recorded on glibc Linux, x64.
		target := Target{OS: "linux", CPU: "x64", Libc: "glibc"}
		for _, o := range []struct {
			from string
			to   *string
		}{{env.OS, &target.OS}, {env.CPU, &target.CPU}, {env.Libc, &target.Libc}} {
			if o.from != "" {
				*o.to = o.from
			}
		}
		if target.OS != "linux" && env.Libc == "" {
			target.Libc = ""
		}
		err := CheckPlatform(pkg.OS, pkg.CPU, pkg.Libc, target)
		if force { // the caller's part, as the doc comment says
			err = nil
		}
		if got := err == nil; got != r.Result.OK {
			t.Errorf("row %d %s: ok %v, want %v (%v)", i, r.Args, got, r.Result.OK, err)
		}
		var platform *PlatformError
		if err != nil && !errors.As(err, &platform) {
			t.Errorf("row %d: %T is no *PlatformError", i, err)
		}
	}
}

func TestCheckPlatformEdges(t *testing.T) {
	linux := Target{OS: "linux", CPU: "x64", Libc: "glibc"}
	mac := Target{OS: "darwin", CPU: "arm64"}
	tests := []struct {
		name          string
		os, cpu, libc []string
		t             Target
		want          string // "" is accepted
	}{
		{"nothing asked", nil, nil, nil, mac, ""},
		{"empty list", []string{}, []string{}, nil, mac, ""},
		{"empty libc list without libc", nil, nil, []string{}, mac, "check platform: wants "},
		{"any libc without libc", nil, nil, []string{"any"}, mac, "check platform: wants "},
		{"any beside another is a name", []string{"any", "win32"}, nil, nil, linux, "check platform: wants os any, win32 (this is linux)"},
		{"exclusion beats inclusion", []string{"linux", "!linux"}, nil, nil, linux, "check platform: wants os linux, !linux (this is linux)"},
		{"exclusion and other inclusion", []string{"!win32", "darwin"}, nil, nil, linux, "check platform: wants os !win32, darwin (this is linux)"},
		{"two wishes", []string{"darwin"}, []string{"arm64"}, nil, linux, "check platform: wants os darwin (this is linux) and cpu arm64 (this is x64)"},
		{"libc excluded", nil, nil, []string{"!musl"}, linux, ""},
		{"libc unknown", nil, nil, []string{"glibc"}, mac, "check platform: wants libc glibc (this is unknown)"},
	}
	for _, tt := range tests {
		got := ""
		if err := CheckPlatform(tt.os, tt.cpu, tt.libc, tt.t); err != nil {
			got = err.Error()
		}
		if tt.want == "check platform: wants " {
			if got == "" {
				t.Errorf("%s: accepted", tt.name)
			}
		} else if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

type engineMap map[string]string

func (m engineMap) Get(name string) (string, bool) { v, ok := m[name]; return v, ok }

func TestCheckEngineRows(t *testing.T) {
	for i, r := range rows(t, "install-checks-checkEngine.json") {
		pkg := arg[struct{ Engines engineMap }](t, r, 0)
		npm, node := arg[string](t, r, 1), arg[string](t, r, 2)
		if arg[bool](t, r, 3) { // force checks npm alone
			node = ""
		}
		err := CheckEngine(pkg.Engines, node, npm)
		if got := err == nil; got != r.Result.OK {
			t.Errorf("row %d %s: ok %v, want %v (%v)", i, r.Args, got, r.Result.OK, err)
		}
		var engine *EngineError
		if err != nil && !errors.As(err, &engine) {
			t.Errorf("row %d: %T is no *EngineError", i, err)
		}
	}
}

func TestEngineErrorNamesWhatFails(t *testing.T) {
	err := CheckEngine(engineMap{"node": ">=99", "npm": ">=1"}, "20.0.0", "11.19.1")
	if want := "check engine: wants node >=99 (this is 20.0.0)"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := CheckEngine(nil, "20.0.0", NpmVersion); err != nil {
		t.Errorf("no engines: %v", err)
	}
	if err := CheckEngine(engineMap{"node": "not a range"}, "20.0.0", NpmVersion); err == nil {
		t.Error("a range that cannot be parsed was met")
	}
}
