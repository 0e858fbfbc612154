package packument

import (
	"testing"

	"weft/internal/jsonval"
	"weft/npm/spec"
)

// BenchmarkRead compares ways to get at a full document of 1,000 versions; "skip" only moves past it.
func BenchmarkRead(b *testing.B) {
	doc := fullDocument(1000, "")
	p, err := Parse(doc)
	if err != nil {
		b.Fatal(err)
	}
	cache := p.AppendCache(nil)
	for _, way := range []struct {
		name string
		data []byte
		read func([]byte) error
	}{
		{"skip", doc, func(d []byte) error { _, err := jsonval.NewScanner(d).Skip(); return err }},
		{"parse", doc, func(d []byte) error { _, err := Parse(d); return err }},
		{"compact", doc, func(d []byte) error { _, err := ParseCompact(d); return err }},
		{"cache", cache, func(d []byte) error { _, err := FromCache(d); return err }},
		{"decode", doc, func(d []byte) error { _, err := jsonval.Parse(d); return err }},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(int64(len(way.data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := way.read(way.data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPick picks from 1,000 versions: by the default tag, and by looking through the range.
func BenchmarkPick(b *testing.B) {
	p, err := Parse(fullDocument(1000, ""))
	if err != nil {
		b.Fatal(err)
	}
	for _, wanted := range []string{"*", "1.500.x", "~1.10.0", "1.999.0", "latest"} {
		s, err := spec.Resolve("pkg", wanted, "/")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(wanted, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Pick(p, s, PickOptions{NodeVersion: "20.0.0"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
