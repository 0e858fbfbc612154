package difference

import (
	"strings"
	"testing"
)

func TestPrint(t *testing.T) {
	list := []Difference{
		{Kind: "mode", Where: "a", Want: "x", Got: "y"},
		{Kind: "missing", Where: "b", Want: "x"},
		{Kind: "mode", Where: "c", Got: "y"},
		{Kind: "mode", Where: "d"},
	}
	for _, tc := range []struct {
		examples int
		want     string
	}{
		{0, "     1  missing\n     3  mode\n"},
		{1, "     1  missing\n          b: wanted x\n     3  mode\n          a: wanted x, found y\n"},
		{-1, "     1  missing\n          b: wanted x\n     3  mode\n          a: wanted x, found y\n          c: found y\n          d\n"},
	} {
		var got strings.Builder
		Print(&got, list, tc.examples)
		if got.String() != tc.want {
			t.Errorf("%d examples:\n%s\nwant\n%s", tc.examples, &got, tc.want)
		}
	}
	if s := (Difference{Where: "w", Want: strings.Repeat("x", 500)}).String(); len(s) > 200 {
		t.Errorf("a long value fills %d bytes", len(s))
	}
}
