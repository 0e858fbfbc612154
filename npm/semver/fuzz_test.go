package semver

import (
	"testing"
)

func FuzzParseVersion(f *testing.F) {
	for _, s := range []string{"", "1.2.3", " v1.2.3-a.1+b.2 ", "=01.2.34.5", "1.2.3-01.a", "1.2.3-99999999999999999999", "\ufeff1.0.0", "1.2.3+"} {
		f.Add(s, "1.2.3-beta.4", true)
		f.Add(s, "2.0.0+x", false)
	}
	f.Fuzz(func(t *testing.T, a, b string, loose bool) {
		o := Options{Loose: loose}
		v, err := ParseVersion(a, o)
		if err != nil {
			return
		}
		again, err := ParseVersion(v.String(), o)
		if err != nil {
			t.Fatalf("%q: canonical %q: %v", a, v.String(), err)
		}
		if !again.equal(&v) || v.Compare(again) != 0 {
			t.Fatalf("%q: canonical %q reads as %q", a, v.String(), again.String())
		}
		w, err := ParseVersion(b, o)
		if err != nil {
			return
		}
		if v.Compare(w) != -w.Compare(v) || v.CompareBuild(w) != -w.CompareBuild(v) {
			t.Fatalf("%q and %q: order is not antisymmetric", a, b)
		}
	})
}

func FuzzParseRange(f *testing.F) {
	for _, s := range []string{"", "*", "^1.2.3", "~> 1.2 || >=3 <4.0.0-rc.1", "1 - 2.3", "1.2.3*", "<0.0.0-0", "> = 1", "+b foo", "x.1.2", "~9007199254740991.1", ">=1.2.3+a.b - v2", "1 - 1.2.999999999999999999999999"} {
		f.Add(s, "1.2.3", uint8(0))
		f.Add(s, "1.2.3-beta", uint8(3))
	}
	f.Fuzz(func(t *testing.T, text, version string, flags uint8) {
		o := Options{Loose: flags&1 != 0, IncludePrerelease: flags&2 != 0}
		r, err := ParseRange(text, o)
		if err != nil {
			return
		}
		canonical := r.String()
		if len(canonical) > MaxRangeLength {
			return
		}
		again, err := ParseRange(canonical, o)
		if err != nil {
			t.Fatalf("%q: canonical %q: %v", text, canonical, err)
		}
		if v, err := ParseVersion(version, o); err == nil {
			if r.Satisfies(v) != again.Satisfies(v) {
				t.Fatalf("%q and its canonical form %q differ on %q", text, canonical, version)
			}
			low, high, hasLow, hasHigh := r.Hull()
			if r.Satisfies(v) && ((hasLow && v.Compare(low) < 0) || (hasHigh && v.Compare(high) > 0)) {
				t.Fatalf("%q satisfies %q but is outside its hull", version, text)
			}
			if in := r.Satisfies(v); in && (r.Above(v) || r.Below(v)) {
				t.Fatalf("%q is inside and outside of %q", version, text)
			}
			if min, ok := r.MinVersion(); ok && !r.Satisfies(min) {
				t.Fatalf("%q: lowest version %q is outside", text, min.String())
			}
		}
		if !r.SubsetOf(r) {
			t.Fatalf("%q is no subset of itself", text)
		}
		r.Intersects(again)
	})
}

func FuzzCoerce(f *testing.F) {
	for _, s := range []string{"", "v2", "a1.2.3.4", "99999999999999999.1", "1.2.3-01.a+b", "1-alpha"} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, pre bool) {
		if v, ok := Coerce(s, Options{IncludePrerelease: pre}); ok {
			if _, valid := Valid(v.String(), Options{}); !valid {
				t.Fatalf("%q: coerced to the invalid %q", s, v.String())
			}
		}
	})
}
