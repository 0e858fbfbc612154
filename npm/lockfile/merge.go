package lockfile

import (
	"slices"
	"strconv"
	"strings"

	"weft/internal/jsonval"
)

// change is one difference between two trees: a value that came, went or was replaced. Value is
// nil for one that went.
type change struct {
	path    []string
	value   *tree
	replace bool
}

// changes gathers differences by kind, because all removals are to be made first, the last one
// first so that indices stay right, then replacements, then additions.
type changes struct {
	removed, replaced, added []change
}

// neverMerged are the names that every JavaScript object has. npm leaves them alone in a merge.
var neverMerged = []string{
	"constructor", "__defineGetter__", "__defineSetter__", "hasOwnProperty", "__lookupGetter__",
	"__lookupSetter__", "isPrototypeOf", "propertyIsEnumerable", "toString", "valueOf", "__proto__", "toLocaleString",
}

// mergeTrees makes the changes between parent and ours on theirs, which it returns. Where a change
// does not fit, because the other side has changed the surroundings, our value is copied over.
func mergeTrees(parent, ours, theirs *tree) *tree {
	var c changes
	c.compare(parent, ours, nil, nil)
	slices.Reverse(c.removed)
	for _, d := range slices.Concat(c.removed, c.replaced, c.added) {
		if slices.ContainsFunc(d.path, func(p string) bool { return slices.Contains(neverMerged, p) }) {
			continue
		}
		if !d.apply(theirs) {
			copyPath(theirs, ours, d.path)
		}
	}
	return theirs
}

// compare records the differences between two containers of one kind. removePath differs from path
// where elements before it are going to be removed first.
func (c *changes) compare(a, b *tree, path, removePath []string) {
	shift := 0
	if a.kind == jsonval.Array && len(a.elems) > len(b.elems) && !cutRight(a.elems, b.elems) {
		// The array lost elements at its beginning.
		shift = len(a.elems) - len(b.elems)
		for i := range shift {
			c.removed = append(c.removed, change{path: join(removePath, strconv.Itoa(i))})
		}
		trimmed := *a
		trimmed.elems = a.elems[shift:]
		a = &trimmed
	} else {
		for _, key := range a.list() {
			if b.get(key) == nil {
				c.removed = append(c.removed, change{path: join(removePath, key)})
			}
		}
	}
	for _, key := range b.list() {
		removeKey := key
		if shift > 0 {
			i, _ := strconv.Atoi(key)
			removeKey = strconv.Itoa(i + shift)
		}
		c.compareAt(a.get(key), b.get(key), join(path, key), join(path, removeKey))
	}
}

func (c *changes) compareAt(a, b *tree, path, removePath []string) {
	switch {
	case a == nil:
		c.added = append(c.added, change{path: path, value: b})
	case a.kind == b.kind && a.isContainer():
		c.compare(a, b, path, removePath)
	case a.isContainer() || b.isContainer() || !a.leaf.Equal(b.leaf):
		c.replaced = append(c.replaced, change{path: path, value: b, replace: true})
	}
}

// cutRight reports whether an array that became shorter rather lost its end than its beginning.
func cutRight(a, b []*tree) bool {
	left := 0
	for left < len(b) && a[left].text() == b[left].text() {
		left++
	}
	// The first comparison is of what stands behind both ends, which npm makes too: it always matches.
	right := 1
	for j := len(b) - 1; j > 0 && a[j+len(a)-len(b)].text() == b[j].text(); j-- {
		right++
	}
	if len(b) == 0 {
		right = 0
	}
	return left >= right
}

// text is JavaScript's String() of a value, which tells no object from another.
func (t *tree) text() string {
	if t == nil {
		return "undefined"
	}
	switch t.kind {
	case jsonval.Object:
		return "[object Object]"
	case jsonval.Array:
		parts := make([]string, len(t.elems))
		for i, e := range t.elems {
			if e != nil && e.kind != jsonval.Null {
				parts[i] = e.text()
			}
		}
		return strings.Join(parts, ",")
	case jsonval.String:
		s, _ := t.leaf.Str()
		return s
	}
	return string(jsonval.AppendJSON(nil, t.leaf, "", ""))
}

// join returns a new path with one part more.
func join(path []string, key string) []string {
	return append(slices.Clip(path), key)
}

// apply makes the change on a tree and reports whether it fitted.
func (d change) apply(t *tree) bool {
	for _, key := range d.path[:len(d.path)-1] {
		if !t.isContainer() || isPrototype(key) {
			return false
		}
		next := t.get(key)
		if next == nil {
			next = growTree(jsonval.OfObject())
			if !t.set(key, next) {
				return false
			}
		}
		t = next
	}
	last := d.path[len(d.path)-1]
	switch {
	case isPrototype(last):
		return false
	case d.value == nil:
		return t.remove(last)
	case d.replace && t.get(last) == nil:
		return false
	}
	return t.set(last, d.value)
}

func isPrototype(key string) bool { return key == "prototype" }

// copyPath copies the value that a path leads to in one tree to the other, or its innermost
// surroundings that are of different kinds in both.
func copyPath(to, from *tree, path []string) {
	for i, key := range path {
		target, source := to.get(key), from.get(key)
		if i+1 < len(path) && target.isContainer() && source.isContainer() && target.kind == source.kind {
			to, from = target, source
			continue
		}
		if source == nil {
			source = undefined
		}
		to.set(key, source)
		return
	}
}
