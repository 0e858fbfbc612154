package regtest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"weft/internal/jsonval"
)

// World is a random universe of packages with a project that uses some.
type World struct {
	Seed     uint64
	Packages []Package
	// Project is the project's package.json.
	Project []byte
}

// Shape says how big and how odd a random world is. The zero value is a small
// world with a bit of everything.
type Shape struct {
	// Names is how many packages there are; 0 is 12.
	Names int
	// Plain leaves out peers, optional packages, aliases, bundles, engines and
	// deprecations.
	Plain bool
	// NoPeers leaves out peer dependencies alone.
	NoPeers bool
}

// Generate draws a world from a seed. The same seed and shape always give the
// same world. Not every world can be installed: peers may conflict and ranges
// may have no version, and then npm must fail as well.
func Generate(seed uint64, shape Shape) *World {
	if shape.Names == 0 {
		shape.Names = 12
	}
	g := &generator{rng: rand.New(rand.NewPCG(seed, 1)), shape: shape}
	g.drawNames()
	w := &World{Seed: seed}
	for _, name := range g.names {
		for i, version := range g.versions[name] {
			w.Packages = append(w.Packages, g.release(name, version, i))
		}
	}
	w.Project = g.project()
	return w
}

// AddTo publishes the world in a registry.
func (w *World) AddTo(r *Registry) { r.Add(w.Packages...) }

type generator struct {
	rng      *rand.Rand
	shape    Shape
	names    []string
	versions map[string][]string
	// native are the names among them that only some platforms can install;
	// nearly all that ask for them do so optionally.
	native map[string]bool
}

// chance is true in so many of a hundred cases.
func (g *generator) chance(percent int) bool { return g.rng.IntN(100) < percent }

// odd is chance for things that a plain world lacks.
func (g *generator) odd(percent int) bool { return g.chance(percent) && !g.shape.Plain }

func pickOne[T any](g *generator, list []T) T { return list[g.rng.IntN(len(list))] }

func (g *generator) drawNames() {
	g.versions, g.native = map[string][]string{}, map[string]bool{}
	for i := range g.shape.Names {
		name := fmt.Sprintf("%c%c", 'a'+g.rng.IntN(26), 'a'+i%26)
		switch g.rng.IntN(8) {
		case 0:
			name = "@s/" + name
		case 1:
			name += "-" + fmt.Sprint(i)
		case 2:
			name = fmt.Sprint(i) + "_" + name
		}
		if _, taken := g.versions[name]; taken {
			continue
		}
		g.names = append(g.names, name)
		g.versions[name] = g.drawVersions()
		g.native[name] = g.odd(15)
	}
}

func (g *generator) drawVersions() []string {
	var list []string
	major, minor, patch := g.rng.IntN(2), g.rng.IntN(3), 0
	for range 1 + g.rng.IntN(5) {
		v := fmt.Sprintf("%d.%d.%d", major, minor, patch)
		if g.odd(15) {
			list = append(list, fmt.Sprintf("%s-%s.%d", v, pickOne(g, []string{"alpha", "beta", "rc"}), g.rng.IntN(12)))
		}
		list = append(list, v)
		switch g.rng.IntN(3) {
		case 0:
			major, minor, patch = major+1, 0, 0
		case 1:
			minor, patch = minor+1+g.rng.IntN(2), 0
		default:
			patch++
		}
	}
	return list
}

// spec draws what a dependent may write for a package.
func (g *generator) spec(name string) string {
	v := pickOne(g, g.versions[name])
	core, _, _ := strings.Cut(v, "-")
	parts := strings.Split(core, ".")
	switch g.rng.IntN(12) {
	case 0:
		return v
	case 1:
		return "~" + v
	case 2:
		return parts[0]
	case 3:
		return parts[0] + "." + parts[1] + ".x"
	case 4:
		return "*"
	case 5:
		return ">=" + core
	case 6:
		return "^" + v + " || ^" + pickOne(g, g.versions[name])
	case 7:
		return pickOne(g, []string{"latest", "", "x"})
	case 8:
		return "<=" + core
	default:
		return "^" + v
	}
}

// dependency draws a name with a spec, sometimes an alias.
func (g *generator) dependency() (name, spec string) {
	name = pickOne(g, g.names)
	spec = g.spec(name)
	if g.odd(6) {
		return pickOne(g, []string{"alias-one", "alias-two", "@z/alias"}), "npm:" + name + "@" + cmp.Or(spec, "*")
	}
	return name, spec
}

// group draws a dependency group of at most n members, without those taken.
func (g *generator) group(n int, taken map[string]bool) []jsonval.Member {
	return g.groupOf(n, taken, 3)
}

// groupOf is group with so many of a hundred native packages let in.
func (g *generator) groupOf(n int, taken map[string]bool, native int) []jsonval.Member {
	var list []jsonval.Member
	for range g.rng.IntN(n + 1) {
		name, spec := g.dependency()
		if taken[name] || g.native[name] && !g.chance(native) {
			continue
		}
		taken[name] = true
		list = append(list, jsonval.Member{Key: name, Value: jsonval.OfString(spec)})
	}
	return list
}

// project draws the root's package.json.
func (g *generator) project() []byte {
	taken := map[string]bool{}
	members := []jsonval.Member{
		{Key: "name", Value: jsonval.OfString("world")},
		{Key: "version", Value: jsonval.OfString("1.0.0")},
	}
	direct := g.group(4, taken)
	for try := 0; len(direct) == 0 && try < 100; try++ {
		direct = g.group(4, taken)
	}
	members = append(members, jsonval.Member{Key: "dependencies", Value: jsonval.OfObject(direct...)})
	if dev := g.group(3, taken); len(dev) > 0 {
		members = append(members, jsonval.Member{Key: "devDependencies", Value: jsonval.OfObject(dev...)})
	}
	if g.odd(25) {
		if optional := g.groupOf(2, taken, 100); len(optional) > 0 {
			members = append(members, jsonval.Member{Key: "optionalDependencies", Value: jsonval.OfObject(optional...)})
		}
	}
	if g.odd(10) {
		name := pickOne(g, g.names)
		if !slices.ContainsFunc(members, func(m jsonval.Member) bool { _, ok := m.Value.Get(name); return ok }) {
			over := jsonval.OfObject(jsonval.Member{Key: name, Value: jsonval.OfString(pickOne(g, g.versions[name]))})
			members = append(members, jsonval.Member{Key: "overrides", Value: over})
		}
	}
	return append(jsonval.AppendJSON(nil, jsonval.OfObject(members...), "  ", "\n"), '\n')
}
