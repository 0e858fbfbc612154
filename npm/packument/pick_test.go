package packument

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"weft/internal/rows"
	"weft/npm/spec"
)

type pickRow struct {
	Packument json.RawMessage
	Picks     [][3]json.RawMessage
}

type pickOptions struct {
	NodeVersion, NpmVersion, Before, Avoid, DefaultTag string
	AvoidStrict, IncludeStaged                         bool
}

func (o pickOptions) options() PickOptions {
	before, _ := time.Parse(time.RFC3339, o.Before)
	return PickOptions{
		NodeVersion: o.NodeVersion, NpmVersion: o.NpmVersion, Before: before, Avoid: o.Avoid, DefaultTag: o.DefaultTag,
		AvoidStrict: o.AvoidStrict, IncludeStaged: o.IncludeStaged,
	}
}

// TestPickDifferential compares with what npm-pick-manifest itself picked from random packuments, as parsed, compacted, and
// read back from the cache. testdata/generate.mjs makes the rows; WEFT_PICK_ROWS names another file of them.
func TestPickDifferential(t *testing.T) {
	picks, failed := 0, 0
	rows.Each(t, "testdata/pick.jsonl", "WEFT_PICK_ROWS", func(line []byte) {
		var row pickRow
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		for form, p := range allForms(t, row.Packument) {
			for _, pick := range row.Picks {
				var wanted, want string
				var o pickOptions
				for i, dst := range []any{&wanted, &o, &want} {
					if err := json.Unmarshal(pick[i], dst); err != nil {
						t.Fatal(err)
					}
				}
				picks++
				if got := pickAnswer(p, wanted, o.options()); got != want {
					if failed++; failed <= 10 {
						t.Errorf("%s: pick %q with %s from %s:\n got %s\nwant %s", form, wanted, pick[1], row.Packument, got, want)
					}
				}
			}
		}
	})
	if failed > 0 || picks < 3000 {
		t.Errorf("%d of %d picks fail", failed, picks)
	}
}

// allForms returns a document in each form that a packument has.
func allForms(t *testing.T, doc []byte) map[string]*Packument {
	t.Helper()
	parsed, err := Parse(doc)
	if err != nil {
		t.Fatalf("parse %s: %v", doc, err)
	}
	cached, err := FromCache(parsed.AppendCache(nil))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*Packument{"parsed": parsed, "compact": parsed.Compact(), "cached": cached}
}

func pickAnswer(p *Packument, wanted string, o PickOptions) string {
	s, err := spec.Resolve(p.Name, wanted, "/")
	if err != nil {
		return "error"
	}
	c, err := Choose(p, s, o)
	var no *NoMatchError
	switch {
	case errors.As(err, &no):
		return no.Code()
	case err != nil:
		return "error"
	}
	answer := c.Manifest.Dist.Shasum
	for _, mark := range []struct {
		on   bool
		word string
	}{{c.Avoided, " avoided"}, {c.OutsideRange, " outside"}, {c.OtherMajor, " major"}} {
		if mark.on {
			answer += mark.word
		}
	}
	return answer
}

func TestNoMatchError(t *testing.T) {
	p, err := Parse([]byte(`{"name":"pkg","dist-tags":{"latest":"1.2.0"},"versions":{"1.0.0":{},"1.1.0":{},"1.2.0":{},"2.0.0-rc.1":{},"0.1.0":{}},
		"policyRestrictions":{"message":"licence","versions":{"3.0.0":{"version":"3.0.0"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		wanted, code string
		reason       error
		near         string
	}{
		{"1.1.1", "ETARGET", ErrNoMatch, "[1.0.0 1.1.0 1.2.0]"},
		{"^9", "ETARGET", ErrNoMatch, "[1.2.0 2.0.0-rc.1 3.0.0]"},
		{"<0.1.0", "ETARGET", ErrNoMatch, "[1.2.0 2.0.0-rc.1 3.0.0]"},
		{"canary", "ETARGET", ErrNoMatch, "[1.2.0 2.0.0-rc.1 3.0.0]"},
		{"3.0.0", "E403", ErrRestricted, "[1.2.0 2.0.0-rc.1 3.0.0]"},
	} {
		s, err := spec.Resolve("pkg", c.wanted, "/")
		if err != nil {
			t.Fatal(err)
		}
		_, err = Pick(p, s, PickOptions{})
		var no *NoMatchError
		if !errors.As(err, &no) || no.Code() != c.code || !errors.Is(err, c.reason) {
			t.Errorf("%s: %v", c.wanted, err)
			continue
		}
		if near := fmt.Sprint(no.Near(3)); near != c.near {
			t.Errorf("%s: near are %s, want %s", c.wanted, near, c.near)
		}
		if len(no.Versions()) != 5 || len(no.DistTags()) != 1 || len(no.Near(100)) != 6 {
			t.Errorf("%s: %v, %v, %v", c.wanted, no.Versions(), no.DistTags(), no.Near(100))
		}
	}
	for _, wanted := range []string{"user/repo", "file:x", "https://host/x.tgz"} {
		s, err := spec.Resolve("pkg", wanted, "/")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Pick(p, s, PickOptions{}); !errors.Is(err, ErrSpecType) {
			t.Errorf("%s: %v", wanted, err)
		}
	}
}
