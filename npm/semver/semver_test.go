package semver

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSetRules(t *testing.T) {
	versions := []string{"nonsense", "1.2.3", "1.10.0", "1.9.9", "2.0.0-rc.1", "1.10.0+build", "2.0.0"}
	for _, c := range []struct {
		rng      string
		max, min string
	}{
		{"^1.2.3", "1.10.0", "1.2.3"},
		{"*", "2.0.0", "1.2.3"},
		{">=2.0.0-rc.0 <2.0.0", "2.0.0-rc.1", "2.0.0-rc.1"},
		{"3", "", ""},
		{"no range", "", ""},
	} {
		if got, _ := MaxSatisfying(versions, c.rng, Options{}); got != c.max {
			t.Errorf("MaxSatisfying(%q) = %q, want %q", c.rng, got, c.max)
		}
		if got, _ := MinSatisfying(versions, c.rng, Options{}); got != c.min {
			t.Errorf("MinSatisfying(%q) = %q, want %q", c.rng, got, c.min)
		}
	}
}

// TestLowestOfMany holds MinVersion against a search: no version of a grid below it satisfies the range.
func TestLowestOfMany(t *testing.T) {
	var grid []Version
	for i := range uint64(64) {
		for _, pre := range []string{"", "0", "alpha", "beta.1"} {
			grid = append(grid, Version{Major: i / 16, Minor: i / 4 % 4, Patch: i % 4, Prerelease: pre})
		}
	}
	slices.SortFunc(grid, Version.Compare)
	for _, text := range []string{"^1.2.3", "~2", ">1.2.3 <3 || 0.3.x", ">=1.1.1-alpha <1.1.2", "<2.0.0-0", ">0.0.0 <0.0.0", "2.x || 1.3.3-beta.1"} {
		r, err := ParseRange(text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		min, ok := r.MinVersion()
		i := slices.IndexFunc(grid, r.Satisfies)
		if ok != (i >= 0) || (ok && min.Compare(grid[i]) > 0) {
			t.Errorf("%q: MinVersion gives %v, %v; the grid's lowest is number %d", text, min, ok, i)
		}
	}
}

func TestHull(t *testing.T) {
	for text, want := range map[string]string{
		"^1.2.3": "1.2.3 2.0.0-0", "*": "open open", ">=1": "1.0.0 open", "<2 || 3": "open 4.0.0-0", "1.0.0 || ^0.2.1 || 5 - 6": "0.2.1 7.0.0-0",
		">1.0.0 >2.0.0-a <=3": "2.0.0-a 4.0.0-0", "1.2.3": "1.2.3 1.2.3", "2 || *": "open open",
	} {
		r, err := ParseRange(text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		low, high, hasLow, hasHigh := r.Hull()
		side := func(v Version, has bool) string {
			if !has {
				return "open"
			}
			return v.String()
		}
		if got := side(low, hasLow) + " " + side(high, hasHigh); got != want {
			t.Errorf("hull of %q is %s, want %s", text, got, want)
		}
	}
}

// TestManyComparators crosses the length from which duplicates are found by a map.
func TestManyComparators(t *testing.T) {
	var words []string
	for i := range 3 * manyComparators {
		words = append(words, fmt.Sprintf("<1.%d.0+b", 99+i%(2*manyComparators)))
	}
	r, err := ParseRange(strings.Join(words, " "), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(r.Alternatives()[0]); got != 2*manyComparators {
		t.Errorf("%d comparators are left, want %d", got, 2*manyComparators)
	}
}

func TestErrors(t *testing.T) {
	long := strings.Repeat("1.2.3 ", MaxRangeLength)
	if _, err := ParseVersion(long, Options{}); !errors.Is(err, ErrInvalidVersion) || len(err.Error()) > 400 {
		t.Errorf("version: %v", err)
	}
	for _, s := range []string{long, "latest", "^", "1.2.3 ||| 2"} {
		if _, err := ParseRange(s, Options{}); !errors.Is(err, ErrInvalidRange) || len(err.Error()) > 400 {
			t.Errorf("range: %v", err)
		}
	}
	if _, err := Compare("1.0.0", "x", Options{}); !errors.Is(err, ErrInvalidVersion) {
		t.Errorf("compare: %v", err)
	}
	if _, err := Subset("1", "nonsense", Options{}); !errors.Is(err, ErrInvalidRange) {
		t.Errorf("subset: %v", err)
	}
}

func TestAllocations(t *testing.T) {
	r, _ := ParseRange("^1.2.3", Options{})
	for _, c := range []struct {
		what string
		most float64
		run  func()
	}{
		{"version", 0, func() { _, _ = ParseVersion("12.345.6-beta.7+build", Options{}) }},
		{"loose version", 0, func() { _, _ = ParseVersion("v 12.345.6beta.7", Options{Loose: true}) }},
		{"caret", 1, func() { _, _ = ParseRange("^12.3.4-beta.1", Options{}) }},
		{"test", 0, func() { r.SatisfiesString("1.20.3") }},
	} {
		if got := testing.AllocsPerRun(100, c.run); got > c.most {
			t.Errorf("%s: %v allocations, want at most %v", c.what, got, c.most)
		}
	}
}

func BenchmarkParseVersion(b *testing.B) {
	for b.Loop() {
		_, _ = ParseVersion("12.345.6-beta.7", Options{})
	}
}

func BenchmarkParseRange(b *testing.B) {
	for _, text := range []string{"^1.2.3", ">=1.2.3 <2", ">= 1.2.3", "^1.2 || ^2.0.0-rc.1 || 3.x", "1.2.3 - 2.0"} {
		b.Run(strings.ReplaceAll(text, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = ParseRange(text, Options{})
			}
		})
	}
}

// BenchmarkMaxSatisfying reads a caret range and finds the best of a thousand versions.
func BenchmarkMaxSatisfying(b *testing.B) {
	var versions []string
	for i := range 1000 {
		v := fmt.Sprintf("%d.%d.%d", i/200, i/10%20, i%10)
		if i%7 == 0 {
			v += fmt.Sprintf("-beta.%d", i)
		}
		versions = append(versions, v)
	}
	b.ReportAllocs()
	for b.Loop() {
		MaxSatisfying(versions, "^2.3.4", Options{})
	}
}
