package locale

import (
	"encoding/json"
	"os"
	"testing"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"pgregory.net/rapid"
)

// rows reads strings in the order that Node gave them; those in one group compare as equal.
func rows(t *testing.T, file string) (strings []string, group []int) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var groups [][]string
	if err := json.Unmarshal(data, &groups); err != nil {
		t.Fatal(err)
	}
	for i, g := range groups {
		for _, s := range g {
			strings = append(strings, s)
			group = append(group, i)
		}
	}
	if len(strings) < 500 {
		t.Fatalf("%s has only %d strings", file, len(strings))
	}
	return strings, group
}

func sign(n int) int { return max(-1, min(1, n)) }

// TestNode compares each string of Node's lists with its neighbours and with others further off.
func TestNode(t *testing.T) {
	for _, file := range []string{"ascii.json", "names.json", "unicode.json"} {
		t.Run(file, func(t *testing.T) {
			list, group := rows(t, file)
			bad := 0
			for i, a := range list {
				for step := 1; i+step < len(list); step = step*2 + 1 {
					b := list[i+step]
					want := sign(group[i] - group[i+step])
					if got, back := Compare(a, b), Compare(b, a); got != want || back != -want {
						if bad++; bad <= 20 {
							t.Errorf("Compare(%q, %q) = %d and %d back, Node says %d", a, b, got, back, want)
						}
					}
				}
			}
			if bad > 20 {
				t.Errorf("%d wrong in all", bad)
			}
		})
	}
}

// TestFastPath holds the short cut to the collator behind it.
func TestFastPath(t *testing.T) {
	slow := collate.New(language.English)
	letters := rapid.SampledFrom([]rune("aAbBzZ09_-./@ ~\té\u0301\u0300君\x01ß"))
	rapid.Check(t, func(t *rapid.T) {
		prefix := rapid.StringOf(letters).Draw(t, "prefix")
		a := prefix + rapid.StringOfN(letters, 0, 4, -1).Draw(t, "a")
		b := prefix + rapid.StringOfN(letters, 0, 4, -1).Draw(t, "b")
		if got, ok := compareASCII(a, b); ok && got != slow.CompareString(a, b) {
			t.Fatalf("compareASCII(%q, %q) = %d, collator says %d", a, b, got, slow.CompareString(a, b))
		}
	})
}

// TestFastPathTaken makes sure that names of packages do not fall through to the collator.
func TestFastPathTaken(t *testing.T) {
	list, _ := rows(t, "names.json")
	for i := 1; i < len(list); i++ {
		if _, ok := compareASCII(list[i-1], list[i]); !ok {
			t.Errorf("compareASCII(%q, %q) gave up", list[i-1], list[i])
		}
	}
}

func BenchmarkCompare(b *testing.B) {
	for b.Loop() {
		Compare("node_modules/string-width-cjs", "node_modules/string_decoder")
	}
}
