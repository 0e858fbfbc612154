package document

import (
	"encoding/json"
	"errors"
	"testing"

	"weft/internal/jsonval"
)

func TestAbbreviate(t *testing.T) {
	for _, tc := range []struct{ name, full, want string }{
		{"fields", `{"_id": "a", "name": "a", "versions": {"1.0.0": {"name": "a", "version": "1.0.0", "license": "MIT", "libc": ["musl"],
			"scripts": {"test": "x"}, "os": ["linux"], "dist": {"shasum": "1", "extra": 2}, "_npmUser": {}}}, "dist-tags": {"latest": "1.0.0"}}`,
			`{"name":"a","dist-tags":{"latest": "1.0.0"},"versions":{"1.0.0":{"name":"a","version":"1.0.0","os":["linux"],"dist":{"shasum": "1", "extra": 2}}}}`},
		{"install script", `{"versions":{"1.0.0":{"scripts":{"postinstall":"x"}}}}`,
			`{"versions":{"1.0.0":{"hasInstallScript":true}}}`},
		{"empty script", `{"versions":{"1.0.0":{"scripts":{"install":""}}}}`, `{"versions":{"1.0.0":{}}}`},
		{"said already", `{"versions":{"1.0.0":{"hasInstallScript":false,"scripts":{"install":"x"}}}}`,
			`{"versions":{"1.0.0":{"hasInstallScript":false}}}`},
		{"old spelling", `{"versions":{"1.0.0":{"bundledDependencies":["b"]}}}`,
			`{"versions":{"1.0.0":{"bundleDependencies":["b"]}}}`},
		{"both spellings", `{"versions":{"1.0.0":{"bundledDependencies":["b"],"bundleDependencies":["c"]}}}`,
			`{"versions":{"1.0.0":{"bundleDependencies":["c"]}}}`},
		{"modified", `{"time":{"modified":"2020-01-01T00:00:00.000Z","1.0.0":"2021-01-01T00:00:00.000Z"}}`,
			`{"modified":"2020-01-01T00:00:00.000Z"}`},
		{"newest", `{"time":{"1.0.0":"2021-01-01T00:00:00.000Z","0.9.0":"2020-01-01T00:00:00.000Z","bad":null}}`,
			`{"modified":"2021-01-01T00:00:00.000Z"}`},
		{"order of keys", `{"versions":{"1.0.0":{"version":"1.0.0","name":"a","cpu":["x64"],"bin":"b"}}}`,
			`{"versions":{"1.0.0":{"version":"1.0.0","name":"a","cpu":["x64"],"bin":"b"}}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Abbreviate([]byte(tc.full))
			if err != nil || string(got) != tc.want {
				t.Errorf("got  %s (%v)\nwant %s", got, err, tc.want)
			}
		})
	}
	for _, bad := range []string{"", "[]", `{"versions": []}`, `{"versions": {"1.0.0": 1}}`, `{"name": "a"`} {
		if got, err := Abbreviate([]byte(bad)); err == nil {
			t.Errorf("Abbreviate(%q) = %s", bad, got)
		}
	}
}

func TestMerge(t *testing.T) {
	base := []Member{{"a", []byte("1")}, {"b", []byte("2")}}
	got := string(AppendObject(nil, Merge(base, []Member{{"b", []byte("3")}, {"a", nil}, {"c", []byte(" 4 ")}, {"d", nil}})))
	if want := `{"b":3,"c":4}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := string(AppendObject(nil, base)); got != `{"a":1,"b":2}` {
		t.Errorf("Merge changed its base to %s", got)
	}
}

func TestMembersOfOtherKinds(t *testing.T) {
	if _, err := Members([]byte(`[1]`)); !errors.Is(err, jsonval.ErrKind) {
		t.Errorf("Members of an array: %v", err)
	}
	if _, err := Members([]byte(`{} x`)); err == nil {
		t.Error("Members passed over what follows the object")
	}
}

// FuzzAbbreviate holds the abbreviated form of any valid document to being
// valid, and to being its own abbreviated form but for the time.
func FuzzAbbreviate(f *testing.F) {
	f.Add([]byte(`{"name":"a","versions":{"1.0.0":{"bin":{"x":"y"},"scripts":{"install":"z"}}},"time":{"modified":"2020"}}`))
	f.Add([]byte(`{"versions":{"1":{"bundledDependencies":true,"dist":null}},"dist-tags":[]}`))
	f.Add([]byte(`{"versions":{}`))
	f.Fuzz(func(t *testing.T, full []byte) {
		short, err := Abbreviate(full)
		if err != nil || !json.Valid(full) {
			return
		}
		if !json.Valid(short) {
			t.Fatalf("invalid JSON %q from %q", short, full)
		}
		again, err := Abbreviate(short)
		if err != nil {
			t.Fatalf("the abbreviated form cannot be read: %v", err)
		}
		if _, err := Members(again); err != nil {
			t.Fatal(err)
		}
	})
}
