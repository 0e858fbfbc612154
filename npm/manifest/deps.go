package manifest

import "weft/internal/jsonval"

// Dep is one line of a dependency map: a name, and what is wanted by that name. Other maps from
// names to strings (bins, engines, scripts) use it too.
type Dep struct {
	Name, Spec string
}

// Deps is a map in the order that JavaScript keeps its keys. Names are unique. The zero value is
// an empty map.
type Deps []Dep

// Get returns the spec of a name.
func (d Deps) Get(name string) (spec string, ok bool) {
	if i := d.find(name); i >= 0 {
		return d[i].Spec, true
	}
	return "", false
}

// Has reports whether the name is in the map.
func (d Deps) Has(name string) bool { return d.find(name) >= 0 }

func (d Deps) find(name string) int {
	for i := range d {
		if d[i].Name == name {
			return i
		}
	}
	return -1
}

// DepsFromValue returns the members of an object whose values are strings. Of anything else than
// an object it returns nil.
func DepsFromValue(v jsonval.Value) Deps {
	members := v.Members()
	if len(members) == 0 {
		return nil
	}
	deps := make(Deps, 0, len(members))
	for _, m := range members {
		if s, ok := m.Value.Str(); ok {
			deps = append(deps, Dep{m.Key, s})
		}
	}
	return deps
}

// Value returns the map as a JSON object, in JavaScript's key order.
func (d Deps) Value() jsonval.Value {
	members := make([]jsonval.Member, len(d))
	for i, dep := range d {
		members[i] = jsonval.Member{Key: dep.Name, Value: jsonval.OfString(dep.Spec)}
	}
	return jsonval.OfObject(members...)
}

// without returns the map less the names that drop holds. d itself stays as it is.
func (d Deps) without(drop func(name string) bool) Deps {
	var kept Deps
	for i, dep := range d {
		switch {
		case !drop(dep.Name):
			if kept != nil {
				kept = append(kept, dep)
			}
		case kept == nil:
			kept = append(make(Deps, 0, len(d)-1), d[:i]...)
		}
	}
	if kept == nil {
		return d
	}
	return kept
}
