package plan

import (
	"fmt"
	"strings"
	"testing"

	"weft/install/resolve"
	"weft/npm/lockfile"
	"weft/npm/manifest"
)

// tree makes a tree from lines of location, version and integrity; more fields
// are flags ("optional", "dev", "bundles=NAME") or "-> DIR" for a link.
func tree(t *testing.T, root string, lines string) *resolve.Tree {
	t.Helper()
	m, err := manifest.Parse([]byte(root))
	if err != nil {
		t.Fatal(err)
	}
	f := new(lockfile.File)
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		e := new(lockfile.Entry)
		if words[1] == "->" {
			e.Link, e.Resolved = true, words[2]
		} else {
			e.Version = words[1]
		}
		for _, w := range words[2:] {
			switch {
			case strings.HasPrefix(w, "sha"):
				e.Integrity = w
			case strings.HasPrefix(w, "from="):
				e.Resolved = w[len("from="):]
			case strings.HasPrefix(w, "needs="):
				e.Dependencies = append(e.Dependencies, manifest.Dep{Name: w[len("needs="):], Spec: "*"})
			case strings.HasPrefix(w, "bundles="):
				e.BundleDependencies = append(e.BundleDependencies, w[len("bundles="):])
			}
		}
		f.Packages.Set(words[0], e)
	}
	tr, err := resolve.Virtual("/project", m, f)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestDiff(t *testing.T) {
	const root = `{"dependencies":{"a":"*","b":"*"},"devDependencies":{"d":"*"}}`
	sri := func(c string) string { return "sha512-" + strings.Repeat(c, 86) + "==" }
	for _, tt := range []struct {
		name, actual, ideal string
		o                   Options
		inert               string
		want                string
	}{
		{
			name:  "from nothing, outer folders first",
			ideal: "node_modules/b 1.0.0 " + sri("A") + "\nnode_modules/a 1.0.0 " + sri("A") + "\nnode_modules/a/node_modules/c 1.0.0 " + sri("A"),
			want:  "add node_modules/a; add node_modules/b; add node_modules/a/node_modules/c",
		},
		{
			name:   "same, other version, other content, gone",
			actual: "node_modules/a 1.0.0 " + sri("A") + "\nnode_modules/b 1.0.0 " + sri("A") + "\nnode_modules/d 1.0.0 " + sri("A") + "\nnode_modules/x 1.0.0 " + sri("A"),
			ideal:  "node_modules/a 1.0.0 " + sri("A") + "\nnode_modules/b 1.1.0 " + sri("A") + "\nnode_modules/d 1.0.0 " + sri("B"),
			want:   "keep node_modules/a; change node_modules/b; change node_modules/d; remove node_modules/x",
		},
		{
			name:   "what is kept inside what changes or goes",
			actual: "node_modules/a 1.0.0 " + sri("A") + "\nnode_modules/a/node_modules/c 1.0.0 " + sri("A") + "\nnode_modules/x 1.0.0 " + sri("A") + "\nnode_modules/x/node_modules/c 1.0.0 " + sri("A"),
			ideal:  "node_modules/a 2.0.0 " + sri("A") + "\nnode_modules/a/node_modules/c 1.0.0 " + sri("A"),
			want:   "change node_modules/a; remove node_modules/x; keep node_modules/a/node_modules/c within; remove node_modules/x/node_modules/c within",
		},
		{
			name:   "without integrity the origin counts",
			actual: "node_modules/a 1.0.0 from=x\nnode_modules/b 1.0.0 from=x",
			ideal:  "node_modules/a 1.0.0 from=x\nnode_modules/b 1.0.0 from=y",
			want:   "keep node_modules/a; change node_modules/b",
		},
		{
			name:   "links",
			actual: "lib 1.0.0\nlib2 1.0.0\nnode_modules/a -> lib\nnode_modules/b -> lib",
			ideal:  "lib 1.0.0\nlib2 1.0.0\nnode_modules/a -> lib\nnode_modules/b -> lib2",
			want:   "keep node_modules/a; change node_modules/b",
		},
		{
			name:  "omitted and inert",
			ideal: "node_modules/a 1.0.0 " + sri("A") + "\nnode_modules/b 1.0.0 " + sri("A") + "\nnode_modules/d 1.0.0 " + sri("A"),
			o:     Options{OmitDev: true},
			inert: "node_modules/b",
			want:  "add node_modules/a",
		},
		{
			name:   "a bundle stays while its package does",
			actual: "node_modules/a 1.0.0 needs=c bundles=c " + sri("A") + "\nnode_modules/a/node_modules/c 1.0.0",
			ideal:  "node_modules/a 1.0.0 needs=c bundles=c " + sri("A"),
			want:   "keep node_modules/a; keep node_modules/a/node_modules/c bundled",
		},
		{
			name:  "a bundle comes with its package",
			ideal: "node_modules/a 1.0.0 needs=c bundles=c " + sri("A") + "\nnode_modules/a/node_modules/c 1.0.0",
			want:  "add node_modules/a; add node_modules/a/node_modules/c bundled",
		},
		{
			name:   "missing commands",
			actual: "node_modules/a 1.0.0 " + sri("A") + "\nnode_modules/b 1.0.0 " + sri("A"),
			ideal:  "node_modules/a 1.0.0 " + sri("A") + "\nnode_modules/b 1.0.0 " + sri("A"),
			o:      Options{BinsMissing: func(n *resolve.Node) bool { return n.Name == "b" }},
			want:   "keep node_modules/a; change node_modules/b",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ideal := tree(t, root, tt.ideal)
			if tt.inert != "" {
				ideal.At(tt.inert).Inert = true
			}
			var got []string
			for _, s := range Diff(tree(t, root, tt.actual), ideal, tt.o) {
				line := fmt.Sprint(s.Action, " ", s.Location)
				if s.Bundled {
					line += " bundled"
				}
				if s.Within {
					line += " within"
				}
				got = append(got, line)
			}
			if g := strings.Join(got, "; "); g != tt.want {
				t.Errorf("got  %s\nwant %s", g, tt.want)
			}
		})
	}
}
