// Package lockdiff explains how two package-lock.json files differ: not line by
// line, but by location, field and kind, with order and format told apart from
// content.
package lockdiff

import (
	"bytes"
	"fmt"

	"weft/bench/internal/difference"
	"weft/internal/jsonval"
)

// Diff compares two lockfiles. It returns nothing exactly when they are equal
// byte for byte.
func Diff(want, got []byte) []difference.Difference {
	if bytes.Equal(want, got) {
		return nil
	}
	w, errWant := jsonval.Parse(want)
	g, errGot := jsonval.Parse(got)
	if errWant != nil || errGot != nil {
		return []difference.Difference{{
			Kind: "lockfile unreadable", Where: "package-lock.json", Want: fmt.Sprint(errWant), Got: fmt.Sprint(errGot),
		}}
	}
	var out []difference.Difference
	packagesWant, _ := w.Get("packages")
	packagesGot, _ := g.Get("packages")
	out = append(out, fields("top level", without(w, "packages"), without(g, "packages"))...)
	out = append(out, entries(packagesWant, packagesGot)...)
	if len(out) == 0 {
		out = order("top level", "", w, g)
		out = append(out, order("packages", "", packagesWant, packagesGot)...)
	}
	if len(out) == 0 {
		// The same values in the same order: what remains is white space.
		out = append(out, difference.Difference{Kind: "lockfile format", Where: firstLine(want, got)})
	}
	return out
}

func entries(want, got jsonval.Value) []difference.Difference {
	var out []difference.Difference
	for _, m := range want.Members() {
		other, ok := got.Get(m.Key)
		if !ok {
			out = append(out, difference.Difference{Kind: "lockfile entry missing", Where: m.Key, Want: text(m.Value)})
			continue
		}
		out = append(out, fields(m.Key, m.Value, other)...)
	}
	for _, m := range got.Members() {
		if _, ok := want.Get(m.Key); !ok {
			out = append(out, difference.Difference{Kind: "lockfile entry extra", Where: m.Key, Got: text(m.Value)})
		}
	}
	return out
}

// fields compares two objects member by member. Where all members are equal
// their order is compared too.
func fields(where string, want, got jsonval.Value) []difference.Difference {
	var out []difference.Difference
	for _, m := range want.Members() {
		other, ok := got.Get(m.Key)
		switch {
		case !ok:
			out = append(out, difference.Difference{Kind: "lockfile " + m.Key + " missing", Where: where, Want: text(m.Value)})
		case !m.Value.Equal(other):
			out = append(out, difference.Difference{Kind: "lockfile " + m.Key, Where: where, Want: text(m.Value), Got: text(other)})
		}
	}
	for _, m := range got.Members() {
		if _, ok := want.Get(m.Key); !ok {
			out = append(out, difference.Difference{Kind: "lockfile " + m.Key + " extra", Where: where, Got: text(m.Value)})
		}
	}
	if len(out) == 0 {
		out = order("entry", where, want, got)
	}
	return out
}

// order reports the first place where the keys of two objects with the same
// members part.
func order(kind, where string, want, got jsonval.Value) []difference.Difference {
	w, g := want.Members(), got.Members()
	for i := range min(len(w), len(g)) {
		if w[i].Key != g[i].Key {
			return []difference.Difference{{
				Kind: "lockfile order of " + kind, Where: where + " member " + fmt.Sprint(i), Want: w[i].Key, Got: g[i].Key,
			}}
		}
	}
	return nil
}

func without(v jsonval.Value, key string) jsonval.Value {
	var kept []jsonval.Member
	for _, m := range v.Members() {
		if m.Key != key {
			kept = append(kept, m)
		}
	}
	return jsonval.OfObject(kept...)
}

func text(v jsonval.Value) string { return string(jsonval.AppendJSON(nil, v, "", "")) }

func firstLine(want, got []byte) string {
	w, g := bytes.SplitAfter(want, []byte("\n")), bytes.SplitAfter(got, []byte("\n"))
	for i := range min(len(w), len(g)) {
		if !bytes.Equal(w[i], g[i]) {
			return fmt.Sprintf("line %d: %q and %q", i+1, w[i], g[i])
		}
	}
	return "end of file"
}
