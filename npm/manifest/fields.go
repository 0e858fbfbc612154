package manifest

import "weft/internal/jsonval"

// stringList reads a field that is a list of strings or a single one. Members that are no strings
// are left out.
func stringList(v jsonval.Value) []string {
	if s, ok := v.Str(); ok && s != "" {
		return []string{s}
	}
	elems := v.Elems()
	if len(elems) == 0 {
		return nil
	}
	list := make([]string, 0, len(elems))
	for _, e := range elems {
		if s, ok := e.Str(); ok {
			list = append(list, s)
		}
	}
	return list
}

// peerOptional reads peerDependenciesMeta.
func peerOptional(v jsonval.Value) map[string]bool {
	var optional map[string]bool
	for _, m := range v.Members() {
		if mark, _ := m.Value.Get("optional"); mark.Truthy() {
			if optional == nil {
				optional = make(map[string]bool, v.Len())
			}
			optional[m.Key] = true
		}
	}
	return optional
}

// bundled reads bundleDependencies: a list, an object whose keys are the list, or true for all
// dependencies (optional ones included where they are repeated there).
func bundled(field, manifest jsonval.Value) []string {
	all, _ := field.Bool()
	switch {
	case all:
		field, _ = manifest.Get("dependencies")
	case field.Kind() == jsonval.Array:
		return stringList(field)
	}
	var list []string
	for _, m := range field.Members() {
		list = append(list, m.Key)
	}
	return list
}

// notARange starts texts that stand for engine ranges npm could not read.
const notARange = "not a range: "

// engines reads the engines field. Old packages have lists or strings there, which ask for nothing.
func engines(v jsonval.Value) Deps {
	var deps Deps
	for _, m := range v.Members() {
		s, ok := m.Value.Str()
		switch {
		case ok:
		case m.Value.Truthy():
			s = notARange + string(jsonval.AppendJSON(nil, m.Value, "", ""))
		default:
			continue
		}
		if deps == nil {
			deps = make(Deps, 0, v.Len())
		}
		deps = append(deps, Dep{m.Key, s})
	}
	return deps
}

// deprecation reads the deprecated field, where registries hold messages, booleans and nulls.
func deprecation(v jsonval.Value) string {
	if !v.Truthy() {
		return ""
	}
	if s, ok := v.Str(); ok {
		return s
	}
	return string(jsonval.AppendJSON(nil, v, "", ""))
}

// workspaces reads the list of patterns, or the one in an object's packages field.
func workspaces(v jsonval.Value) []string {
	if packages, ok := v.Get("packages"); ok {
		v = packages
	}
	if v.Kind() != jsonval.Array {
		return nil
	}
	return stringList(v)
}

// funding makes an object of a plain address.
func funding(v jsonval.Value) jsonval.Value {
	if s, ok := v.Str(); ok && s != "" {
		return jsonval.OfObject(jsonval.Member{Key: "url", Value: v})
	}
	return v
}

func dist(v jsonval.Value) Dist {
	var d Dist
	for _, m := range v.Members() {
		switch m.Key {
		case "tarball":
			d.Tarball, _ = m.Value.Str()
		case "integrity":
			d.Integrity, _ = m.Value.Str()
		case "shasum":
			d.Shasum, _ = m.Value.Str()
		}
	}
	return d
}
