package inflate

import "testing"

// FuzzFenced takes whole files, and bare DEFLATE, between forbidden pages.
func FuzzFenced(f *testing.F) {
	for _, s := range append(bodies(), framings()...) {
		if len(s.data) < 8<<10 {
			f.Add(s.data, false)
		}
	}
	for _, s := range bodies() {
		if len(s.data) < 8<<10 {
			f.Add(s.data[headerFixedBytes:len(s.data)-trailerBytes], true)
		}
	}
	pages := newFences(f)
	f.Fuzz(func(t *testing.T, data []byte, bare bool) {
		if len(data) > fuzzInputMax {
			t.Skip()
		}
		if bare {
			data = framed(data)
		}
		pages.check(t, data)
	})
}
