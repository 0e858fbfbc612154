package lockfile

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"weft/internal/jsonval"
	"weft/npm/manifest"
)

func TestParseErrors(t *testing.T) {
	var syntax *jsonval.SyntaxError
	if _, err := Parse([]byte(`{"packages":`)); !errors.As(err, &syntax) {
		t.Errorf("cut off: %v", err)
	}
	if _, err := Parse([]byte("{\n<<<<<<<\n\"a\":1\n=======\n}\n>>>>>>>\n}")); !errors.As(err, &syntax) {
		t.Errorf("broken conflict: %v", err)
	}
	for _, text := range []string{
		`[]`, `1`, `null`, `{"packages":[]}`, `{"packages":"x"}`, `{"packages":{"node_modules/a":null}}`,
		`{"packages":{"node_modules/a":[]}}`, "<<<<<<<\n1\n|||||||\n1\n=======\n1\n>>>>>>>",
	} {
		if _, err := Parse([]byte(text)); !errors.Is(err, ErrShape) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestLocations(t *testing.T) {
	for _, good := range []string{
		"", "node_modules/a", "node_modules/@s/a", "node_modules/@s/a/node_modules/b", "packages/a", "../outside", "../../x/y",
		"..", "node_modules/.store/x/node_modules/x", "node_modules/a.b", "..a/b", "C", "@s/a",
	} {
		if err := checkLocation(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{
		"/", "/etc/x", "a//b", "./a", "a/.", "a/..", "a/../b", "../a/../b", "node_modules/", "node_modules/..", "node_modules/../../etc",
		"node_modules/.bin", "node_modules/.package-lock.json", "node_modules/a\\..\\b", "C:/x", "a\x00b", "..//a",
	} {
		doc := `{"lockfileVersion":3,"packages":{` + string(jsonval.AppendString(nil, bad)) + `:{"version":"1.0.0"}}}`
		if _, err := Parse([]byte(doc)); !errors.Is(err, ErrLocation) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	old := `{"lockfileVersion":1,"dependencies":{"../../x":{"version":"1.0.0"}}}`
	if _, err := Parse([]byte(old)); !errors.Is(err, ErrLocation) {
		t.Errorf("version 1: %v", err)
	}
}

func TestNameFromLocation(t *testing.T) {
	for location, want := range map[string]string{
		"": "", "a": "a", "node_modules/a": "a", "node_modules/@s/a": "@s/a", "@s/a": "@s/a", "x/@s/a": "@s/a",
		"node_modules/@s/a/node_modules/b": "b", "../x": "x",
	} {
		if got := NameFromLocation(location); got != want {
			t.Errorf("%q: %q, want %q", location, got, want)
		}
	}
}

func TestEntryFields(t *testing.T) {
	const in = `{"lockfileVersion":3,"requires":true,"packages":{
		"":{"name":"p","devDependencies":{}},
		"node_modules/a":{"name":"a","version":"1.0.0","dev":true,"devOptional":true,"peer":true,"unknown":1,"devDependencies":{"x":"1"},"bin":"./a.js","funding":"f"},
		"node_modules/b":{"version":"1.0.0","devOptional":true,"inBundle":1,"hasShrinkwrap":true,"hasInstallScript":true,"deprecated":true},
		"node_modules/c":{"name":"d","version":"1.0.0","extraneous":true,"peer":true,"optional":true,"license":{"type":"MIT"}},
		"node_modules/l":{"resolved":"packages/l","link":true,"dev":true},
		"packages/l":{"version":"1.0.0","devDependencies":{"x":"1"}}},
		"more":{"b":1,"a":2}}`
	const want = `{"lockfileVersion":3,"requires":true,` +
		`"packages":{"":{"name":"p","devDependencies":{}},` +
		`"node_modules/a":{"version":"1.0.0","bin":"./a.js","dev":true,"peer":true,"funding":{"url":"f"}},` +
		`"node_modules/b":{"version":"1.0.0","deprecated":true,"devOptional":true,"hasInstallScript":true,"hasShrinkwrap":true,"inBundle":true},` +
		`"node_modules/c":{"name":"d","version":"1.0.0","extraneous":true,"license":"MIT"},` +
		`"node_modules/l":{"resolved":"packages/l","link":true},` +
		`"packages/l":{"version":"1.0.0","devDependencies":{"x":"1"}}},"more":{"a":2,"b":1}}`
	f := mustParse(t, []byte(in))
	if got := string(f.Marshal(Format{Compact: true})); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	a := f.Packages.Get("node_modules/a")
	if bin, _ := a.Bin.Get("a"); bin != "a.js" || !a.DevOptional {
		t.Errorf("a is %+v", a)
	}
	if link := f.Packages.Get("node_modules/l"); !link.Link || link.Resolved != "packages/l" {
		t.Errorf("link is %+v", link)
	}
}

func TestVersions(t *testing.T) {
	for text, want := range map[string][2]int{
		`{}`: {0, 3}, `{"lockfileVersion":1}`: {1, 3}, `{"lockfileVersion":2}`: {2, 2}, `{"lockfileVersion":3}`: {3, 3}, `{"lockfileVersion":4}`: {4, 4},
		`{"lockfileVersion":"2"}`: {0, 3}, `{"lockfileVersion":-1}`: {0, 3}, `{"lockfileVersion":2.5}`: {0, 3}, `{"lockfileVersion":1e300}`: {0, 3},
	} {
		f := mustParse(t, []byte(text))
		if f.OriginalVersion != want[0] || f.LockfileVersion != want[1] {
			t.Errorf("%s: %d, %d, want %v", text, f.OriginalVersion, f.LockfileVersion, want)
		}
	}
	f := &File{LockfileVersion: Version1}
	if got := string(f.Marshal(Format{Compact: true})); got != `{"lockfileVersion":1,"requires":true,"dependencies":{}}` {
		t.Error(got)
	}
	if got := string((&File{}).Marshal(Format{})); got != "{\n  \"lockfileVersion\": 3,\n  \"requires\": true,\n  \"packages\": {}\n}\n" {
		t.Error(got)
	}
}

func TestFromManifest(t *testing.T) {
	m, err := manifest.Parse([]byte(`{"name":"@s/a","version":"1.0.0","devDependencies":{"d":"1"},"peerDependenciesMeta":{"p":{"optional":true}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{"@s/a": "", "a": "@s/a", "": "@s/a"} {
		if e := FromManifest(m, folder, "", ""); e.Name != want {
			t.Errorf("in folder %q the name is %q, want %q", folder, e.Name, want)
		}
	}
	e := FromManifest(m, "", "", "")
	if e.DevDependencies != nil || !e.PeerOptional("p") || e.PeerOptional("q") {
		t.Errorf("%+v", e)
	}
	if e.AddDevDependencies(m); !e.DevDependencies.Has("d") {
		t.Errorf("%+v", e)
	}
}

func TestPackages(t *testing.T) {
	var p Packages
	p.Delete("x")
	for _, location := range []string{"a", "b", "c", "a"} {
		p.Set(location, &Entry{Version: location})
	}
	p.Delete("b")
	p.Set("b", &Entry{Version: "again"})
	var order []string
	for location, e := range p.All() {
		order = append(order, location)
		if p.Get(location) != e {
			t.Errorf("%s leads elsewhere", location)
		}
	}
	if !slices.Equal(order, []string{"a", "c", "b"}) || p.Len() != 3 || p.Get("d") != nil {
		t.Errorf("order %q", order)
	}
	for range p.All() {
		break
	}
}

func TestDetectFormat(t *testing.T) {
	for text, want := range map[string]Format{
		"":                       {},
		"x":                      {},
		"{}":                     {Indent: "  "},
		"{}\r\n":                 {Indent: "  ", Newline: "\r\n"},
		"[]\n":                   {Indent: "  ", Newline: "\n"},
		"{ }":                    {},
		`{"a":1}`:                {},
		"{\n\t\"a\":1\n}":        {Indent: "\t", Newline: "\n"},
		"\ufeff{\r\n \"a\":1}":   {Indent: " ", Newline: "\r\n"},
		"\n {\n\n   \"a\":1}":    {Indent: "   ", Newline: "\n\n"},
		"[\n1]":                  {Newline: "\n"},
		"{\n \n \"a\":1}":        {Indent: " \n ", Newline: "\n"},
		"{\r\n\n\r\t\"a\": 1\n}": {Indent: "\r\t", Newline: "\r\n\n"},
	} {
		if got := DetectFormat([]byte(text)); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// TestLayout writes one lockfile in several layouts.
func TestLayout(t *testing.T) {
	data := read(t, "s.json")
	f := mustParse(t, data)
	two := f.Marshal(Format{})
	if !bytes.Contains(two, []byte("\n  \"version\"")) {
		t.Error("no two spaces by default")
	}
	windows := f.Marshal(Format{Newline: "\r\n"})
	same(t, "windows", bytes.ReplaceAll(windows, []byte("\r\n"), []byte("\n")), two)
	if bytes.Count(windows, []byte("\r\n")) != bytes.Count(two, []byte("\n")) {
		t.Error("line feeds without carriage returns")
	}
	if wide := f.Marshal(Format{Indent: strings.Repeat(" ", 20)}); bytes.Contains(wide, []byte("\n           \"version\"")) {
		t.Error("an indentation of more than ten spaces")
	}
	compact := f.Marshal(Format{Compact: true})
	if bytes.Contains(compact, []byte("\n")) {
		t.Error("more than one line")
	}
	same(t, "compact", mustParse(t, compact).Marshal(f.format()), data)
}

// FuzzParse looks for lockfiles that panic, leave the project unasked, or are written differently the
// second time.
func FuzzParse(f *testing.F) {
	for i, row := range nodeRows(f, "upgrades.json") {
		if i%4 == 0 {
			f.Add([]byte(text(row, "in")))
		}
	}
	for i, row := range nodeRows(f, "conflicts.json") {
		if i%10 == 0 {
			f.Add([]byte(text(row, "in")))
		}
	}
	f.Add([]byte(`{"name":"x","lockfileVersion":2,"requires":true,"packages":{"":{"name":"x"},"node_modules/a":{"version":"1.0.0","os":"linux","license":{"type":"MIT"},"bin":{"a":"./a"}}},"dependencies":{"a":{"version":"1.0.0"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		lock, err := Parse(data)
		if err != nil {
			return
		}
		for location := range lock.Packages.All() {
			if err := checkLocation(location); err != nil {
				t.Fatal(err)
			}
		}
		if lock.OriginalVersion < Version2 {
			// An upgrade may leave development dependencies where they mean nothing and are lost.
			lock = mustParse(t, lock.Marshal(lock.format()))
		}
		once := lock.Marshal(lock.format())
		if twice := mustParse(t, once).Marshal(lock.format()); !bytes.Equal(twice, once) {
			t.Fatalf("%q was written as %q, then as %q", data, once, twice)
		}
		lock.Hidden().Marshal(Format{})
	})
}
