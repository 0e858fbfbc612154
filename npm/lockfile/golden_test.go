package lockfile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"weft/internal/jsonval"
)

// goldens are lockfiles that npm 11.19 wrote, with the registry's address replaced.
var goldens = []string{"s.json", "m.json", "s-hidden.json", "s-v2.json", "kinds-v2.json"}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func mustParse(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *File) format() Format { return Format{Indent: f.Indent, Newline: f.Newline} }

// same fails where two texts differ, showing the first line that does.
func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			t.Fatalf("%s: line %d\n got %q\nwant %q", what, i+1, g[i], w[i])
		}
	}
	t.Fatalf("%s: %d lines, want %d", what, len(g), len(w))
}

func TestRoundTrip(t *testing.T) {
	for _, name := range goldens {
		data := read(t, name)
		f := mustParse(t, data)
		same(t, name, f.Marshal(f.format()), data)
	}
}

// TestShuffled checks that the order in which a lockfile comes does not matter.
func TestShuffled(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for _, name := range goldens {
		data := read(t, name)
		v, err := jsonval.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		mixed := jsonval.AppendJSON(nil, shuffle(random, v), "", "")
		if bytes.Equal(mixed, jsonval.AppendJSON(nil, v, "", "")) {
			t.Fatal("nothing was shuffled")
		}
		same(t, name, mustParse(t, mixed).Marshal(DetectFormat(data)), data)
	}
}

// shuffle puts the members of all objects into another order.
func shuffle(random *rand.Rand, v jsonval.Value) jsonval.Value {
	if v.Kind() != jsonval.Object {
		return v
	}
	var members []jsonval.Member
	for _, i := range random.Perm(v.Len()) {
		m := v.Members()[i]
		members = append(members, jsonval.Member{Key: m.Key, Value: shuffle(random, m.Value)})
	}
	return jsonval.OfObject(members...)
}

// TestHidden derives the hidden lockfile of a full installation from the lockfile beside it.
func TestHidden(t *testing.T) {
	f := mustParse(t, read(t, "s.json"))
	same(t, "hidden", f.Hidden().Marshal(f.format()), read(t, "s-hidden.json"))
}

// TestLegacyTree makes the tree for npm 6 anew: kinds-v2.json has links, workspaces, aliases, tarballs
// from files and addresses, bundled and peer dependencies.
func TestLegacyTree(t *testing.T) {
	for _, name := range []string{"s-v2.json", "kinds-v2.json"} {
		data := read(t, name)
		f := mustParse(t, data)
		f.Dependencies = jsonval.Value{}
		same(t, name, f.Marshal(f.format()), data)
	}
}

// TestLegacyTreeEnds has links into each other, which npm 6's tree repeats in every order.
func TestLegacyTreeEnds(t *testing.T) {
	var f File
	f.LockfileVersion = Version2
	const count = 12
	for i := range count {
		target := fmt.Sprintf("packages/p%d", i)
		f.Packages.Set(target, &Entry{Version: "1.0.0"})
		for k := range count {
			f.Packages.Set(fmt.Sprintf("%s/node_modules/p%d", target, k), &Entry{Link: true, Resolved: fmt.Sprintf("packages/p%d", k)})
		}
		f.Packages.Set(fmt.Sprintf("node_modules/p%d", i), &Entry{Link: true, Resolved: target})
	}
	if n := len(f.Marshal(Format{})); n > 10<<20 {
		t.Fatalf("the lockfile has %d bytes", n)
	}
}

func BenchmarkParse(b *testing.B) {
	data := read(b, "m.json")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		mustParse(b, data)
	}
}

func BenchmarkMarshal(b *testing.B) {
	f := mustParse(b, read(b, "m.json"))
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(f.Marshal(f.format()))))
	}
}
