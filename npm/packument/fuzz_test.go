package packument

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"weft/internal/jsonval"
	"weft/npm/spec"
)

func FuzzParse(f *testing.F) {
	f.Add(fullDocument(2, " "), "^1.0.0")
	f.Add([]byte(`{"name":"a","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"deprecated":true,"engines":{"node":4}}},"time":{"1.0.0":"x"}}`), "latest")
	f.Add([]byte(`{"versions":{"1":{},"0":{},"1":null},"stagedVersions":{"versions":{"2.0.0":{}}},"policyRestrictions":{"message":"m","versions":{"3.0.0":{}}}}`), "*")
	f.Fuzz(func(t *testing.T, doc []byte, wanted string) {
		p, err := Parse(doc)
		direct, err2 := ParseCompact(bytes.Clone(doc))
		if err == nil && err2 != nil {
			t.Fatalf("ParseCompact refuses what Parse takes: %v", err2)
		}
		if err != nil {
			return
		}
		if _, err := jsonval.Parse(doc); err != nil {
			// Text that only looks like JSON may look different to the two; neither may stumble over it.
			direct = p
		}
		compact := p.Compact()
		cached, err := FromCache(compact.AppendCache(nil))
		if err != nil {
			t.Fatal(err)
		}
		s, err := spec.Resolve("pkg", wanted, "/")
		if err != nil {
			return
		}
		o := PickOptions{NodeVersion: "20.0.0", Before: time.Unix(1.7e9, 0), IncludeStaged: true}
		want := answerOf(p, s, o)
		for name, q := range map[string]*Packument{"compact": compact, "direct": direct, "cached": cached} {
			if fmt.Sprint(q.Versions()) != fmt.Sprint(p.Versions()) {
				t.Fatalf("%s: versions %v, want %v", name, q.Versions(), p.Versions())
			}
			got := answerOf(q, s, o)
			// Compacting may drop the very field that made a manifest unreadable.
			if got != want && want != "broken" {
				t.Fatalf("%s: picked %s, want %s", name, got, want)
			}
		}
	})
}

func answerOf(p *Packument, s spec.Spec, o PickOptions) string {
	c, err := Choose(p, s, o)
	switch e := err.(type) {
	case nil:
		return c.Version
	case *NoMatchError:
		e.Near(3)
		return e.Error()
	}
	return "broken"
}

func FuzzFromCache(f *testing.F) {
	p := mustParse(f, string(fullDocument(2, "")))
	f.Add(p.AppendCache(nil))
	f.Add([]byte(cacheMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := FromCache(data)
		if err != nil {
			return
		}
		for _, v := range p.Versions() {
			_, _ = p.Manifest(v)
			p.Time(v)
		}
		p.sorted()
		if _, err := FromCache(p.AppendCache(nil)); err != nil {
			t.Fatal(err)
		}
	})
}
