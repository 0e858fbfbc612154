package lockfile

import (
	"slices"

	"weft/internal/jsonval"
	"weft/internal/locale"
)

// preference gives the keys that come first in any object, wherever it stands, their rank; 0 for
// all others.
func preference(key string) int {
	switch key {
	case "name":
		return 1
	case "version":
		return 2
	case "lockfileVersion":
		return 3
	case "resolved":
		return 4
	case "integrity":
		return 5
	case "requires":
		return 6
	case "packages":
		return 7
	case "dependencies":
		return 8
	}
	return 0
}

// compareMembers orders an object's members: values that are no objects before objects, then the
// preferred keys, then the others as English has them.
func compareMembers(a, b jsonval.Member) int {
	aObject, bObject := a.Value.Kind() == jsonval.Object, b.Value.Kind() == jsonval.Object
	if aObject != bObject {
		if aObject {
			return 1
		}
		return -1
	}
	aRank, bRank := preference(a.Key), preference(b.Key)
	switch {
	case aRank > 0 && bRank > 0:
		return aRank - bRank
	case aRank > 0:
		return -1
	case bRank > 0:
		return 1
	}
	return locale.Compare(a.Key, b.Key)
}

// ordered returns an object of the members in order, integer-like keys first as JavaScript has it.
// "__proto__" is lost, as it is where npm orders objects. It may reorder members.
func ordered(members []jsonval.Member) jsonval.Value {
	members = slices.DeleteFunc(members, func(m jsonval.Member) bool { return m.Key == "__proto__" })
	if !slices.IsSortedFunc(members, compareMembers) {
		slices.SortStableFunc(members, compareMembers)
	}
	return jsonval.OfObject(members...)
}

// inOrder returns a value with all objects in it ordered.
func inOrder(v jsonval.Value) jsonval.Value {
	switch v.Kind() {
	case jsonval.Array:
		if !slices.ContainsFunc(v.Elems(), isContainer) {
			return v
		}
		elems := make([]jsonval.Value, v.Len())
		for i, e := range v.Elems() {
			elems[i] = inOrder(e)
		}
		return jsonval.OfArray(elems...)
	case jsonval.Object:
		members := slices.Clone(v.Members())
		for i := range members {
			members[i].Value = inOrder(members[i].Value)
		}
		return ordered(members)
	}
	return v
}

func isContainer(v jsonval.Value) bool {
	return v.Kind() == jsonval.Array || v.Kind() == jsonval.Object
}
