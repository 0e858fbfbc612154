package report

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestGolden(t *testing.T) {
	forms := map[string]func(io.Writer, Data) error{
		"txt":        Terminal{Columns: 150}.Write,
		"narrow.txt": Terminal{Columns: 60, All: true}.Write,
		"ascii.txt":  Terminal{Columns: 150, ASCII: true}.Write,
		"md":         Markdown,
		"json":       JSON,
		"html":       HTML,
	}
	for name, d := range samplesAll(t) {
		for form, write := range forms {
			if name == "matrix" && (form == "html" || form == "json") {
				continue // large, and nothing that the small ones have not
			}
			t.Run(name+"."+form, func(t *testing.T) {
				var b bytes.Buffer
				if err := write(&b, d); err != nil {
					t.Fatal(err)
				}
				golden(t, name+"."+form, b.Bytes())
			})
		}
	}
}

func TestColourSaysNothingNew(t *testing.T) {
	codes := strings.NewReplacer(bold, "", green, "", red, "", yellow, "", cyan, "", reset, "")
	for name, d := range samplesAll(t) {
		var plain, coloured strings.Builder
		if err := (Terminal{}).Write(&plain, d); err != nil {
			t.Fatal(err)
		}
		if err := (Terminal{Color: true}).Write(&coloured, d); err != nil {
			t.Fatal(err)
		}
		if coloured.String() == plain.String() {
			t.Errorf("%s: no colours", name)
		}
		if got := codes.Replace(coloured.String()); got != plain.String() {
			t.Errorf("%s: without its colours the report differs: %s", name, firstDifference(plain.String(), got))
		}
	}
}

func TestWidth(t *testing.T) {
	for name, d := range samplesAll(t) {
		for _, width := range []int{60, 80, 100, 120, 150} {
			var b strings.Builder
			if err := (Terminal{Columns: width}).Write(&b, d); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(b.String()) {
				if n := columns(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("%s: %d columns where there are %d: %s", name, n, width, line)
				}
			}
		}
	}
}

func TestASCII(t *testing.T) {
	for name, d := range samplesAll(t) {
		var b strings.Builder
		if err := (Terminal{ASCII: true, All: true}).Write(&b, d); err != nil {
			t.Fatal(err)
		}
		for i, r := range b.String() {
			if r > 0x7e {
				t.Fatalf("%s: %q at %d", name, r, i)
			}
		}
	}
}
