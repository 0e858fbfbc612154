package resolve

import (
	"fmt"
	"strings"

	"weft/internal/jsonval"
	"weft/npm/manifest"
	"weft/npm/semver"
	"weft/npm/spec"
)

// ruleSet is one level of the overrides field: a package (by name and the range
// of what is asked for), what is to be used instead, and the rules that hold
// below it. The outermost set has no package. It is immutable once made.
type ruleSet struct {
	parent   *ruleSet
	name     string
	key      string // as written
	keySpec  string // the range part of the key
	keyRange *semver.Range
	value    string // what replaces the spec; keySpec if nothing does
	children []*ruleSet
	inForce  []*ruleSet // what ruleset returns, once asked
}

// newRuleSet reads an overrides field.
func newRuleSet(v jsonval.Value) (*ruleSet, error) {
	if len(v.Members()) == 0 {
		return nil, nil
	}
	return readRuleSet(nil, "", v)
}

func readRuleSet(parent *ruleSet, key string, v jsonval.Value) (*ruleSet, error) {
	r := &ruleSet{parent: parent, key: key}
	own, isText := v.Str()
	if !isText {
		if v.Kind() != jsonval.Object {
			return nil, fmt.Errorf("read overrides: %s: neither a version nor an object", key)
		}
		if self, ok := v.Get("."); ok {
			if own, ok = self.Str(); !ok {
				return nil, fmt.Errorf("read overrides: %s: \".\" is no version", key)
			}
			isText = true
		}
	}
	if isText && own == "" {
		own = "*"
	}
	if parent != nil {
		s, err := spec.Parse(key, "")
		if err != nil {
			return nil, fmt.Errorf("read overrides: %s: %w", key, err)
		}
		if s.Name == "" {
			return nil, fmt.Errorf("read overrides: %s: a key without a name", key)
		}
		r.name = s.Name
		for _, text := range []string{s.SaveSpec, s.FetchSpec, s.RawSpec} {
			if text != "" {
				r.keySpec = text
				break
			}
		}
		r.keyRange, _ = semver.ParseRange(r.keySpec, semver.Options{})
		if r.value = own; own == "" {
			r.value = r.keySpec
		}
	}
	for _, m := range v.Members() {
		if m.Key == "." {
			continue
		}
		child, err := readRuleSet(r, m.Key, m.Value)
		if err != nil {
			return nil, err
		}
		r.children = append(r.children, child)
	}
	return r, nil
}

// rules returns the rules in force below this set: its own first, then those of
// the sets around it; of the same key the nearest counts.
func (r *ruleSet) rules() []*ruleSet {
	if r.inForce != nil {
		return r.inForce
	}
	out := []*ruleSet{}
	seen := map[string]bool{}
	add := func(x *ruleSet) {
		if !seen[x.key] {
			seen[x.key] = true
			out = append(out, x)
		}
	}
	for s := r; s != nil; s = s.parent {
		for _, child := range s.children {
			add(child)
		}
		if s.parent != nil {
			add(s)
		}
	}
	r.inForce = out
	return out
}

// forEdge returns the rule that applies to an edge, or r itself if none does.
func (r *ruleSet) forEdge(e *Edge) *ruleSet {
	for _, rule := range r.rules() {
		if rule.name == e.Name && rule.appliesTo(e) {
			return rule
		}
	}
	return r
}

// appliesTo reports whether the range that the rule is for has anything in common
// with what the edge asks for. What has no range is taken to have.
func (r *ruleSet) appliesTo(e *Edge) bool {
	if r.keySpec == "*" {
		return true
	}
	w := e.writtenWant()
	if w.kind == wantAlias {
		w = w.sub
	}
	switch w.kind {
	case wantAny, wantRange:
		asked, err := semver.ParseRange(w.spec.FetchSpec, semver.Options{})
		return err == nil && r.keyRange != nil && asked.Intersects(r.keyRange)
	case wantGit:
		return false
	}
	return true
}

func (r *ruleSet) equal(o *ruleSet) bool {
	switch {
	case r == o:
		return true
	case r == nil || o == nil:
		return false
	case r.key != o.key || r.value != o.value || !r.childrenEqual(o):
		return false
	}
	return r.parent.equal(o.parent)
}

func (r *ruleSet) childrenEqual(o *ruleSet) bool {
	if len(r.children) != len(o.children) {
		return false
	}
	for _, c := range r.children {
		d := o.child(c.key)
		if d == nil || c.value != d.value || !c.childrenEqual(d) {
			return false
		}
	}
	return true
}

func (r *ruleSet) child(key string) *ruleSet {
	for _, c := range r.children {
		if c.key == key {
			return c
		}
	}
	return nil
}

// narrower returns the one of two sets that lies inside the other. If neither
// does, it returns the nearest set around both, and ok is false if their rules
// contradict each other.
func narrower(a, b *ruleSet) (r *ruleSet, ok bool) {
	for s := b; s != nil; s = s.parent {
		if s.equal(a) {
			return b, true
		}
	}
	for s := a; s != nil; s = s.parent {
		if s.equal(b) {
			return a, true
		}
	}
	if contradict(a, b) {
		return nil, false
	}
	for s := b; s != nil; s = s.parent {
		for t := a; t != nil; t = t.parent {
			if t.equal(s) {
				return t, true
			}
		}
	}
	return nil, true
}

// clash reports whether two sets neither contain each other nor agree.
func clash(a, b *ruleSet) bool {
	_, ok := narrower(a, b)
	return !ok
}

// contradict reports whether some package is to be replaced by ranges that have
// nothing in common. References are not followed.
func contradict(a, b *ruleSet) bool {
	for _, x := range a.rules() {
		var y *ruleSet
		for _, c := range b.rules() {
			if c.key == x.key {
				y = c
				break
			}
		}
		if y == nil || x.equal(y) || strings.HasPrefix(x.value, "$") || strings.HasPrefix(y.value, "$") {
			continue
		}
		s, err1 := spec.Parse(x.name+"@"+x.value, "")
		t, err2 := spec.Parse(y.name+"@"+y.value, "")
		if err1 != nil || err2 != nil || !ranged(s) || !ranged(t) {
			continue
		}
		if meet, err := semver.Intersects(s.FetchSpec, t.FetchSpec, semver.Options{}); err == nil && !meet {
			return true
		}
	}
	return false
}

func ranged(s spec.Spec) bool { return s.Type == spec.Range || s.Type == spec.Version }

// overrideSpec is what rule r makes of the edge's spec. A value "$name" stands
// for what the project, or else the dependent, asks for under that name; where
// neither names it the value stays, and nothing will satisfy it.
func (e *Edge) overrideSpec(r *ruleSet) string {
	name, isRef := strings.CutPrefix(r.value, "$")
	if !isRef {
		return r.value
	}
	root := e.from.tree.Root
	if e.from.source != nil {
		root = e.from.source.tree.Root
	}
	for _, m := range []*manifest.Manifest{root.Manifest, e.from.Manifest} {
		for _, deps := range []manifest.Deps{m.DevDependencies, m.OptionalDependencies, m.Dependencies, m.PeerDependencies} {
			if s, ok := deps.Get(name); ok && s != "" {
				return s
			}
		}
	}
	return r.value
}

// rulesArrived accounts for an edge that brings rules to the node. Of two sets
// the narrower one holds.
func (n *Node) rulesArrived(r *ruleSet) {
	switch {
	case r == nil:
	case n.overrides == nil:
		n.overrides = r
		n.passRules()
	case n.overrides.equal(r):
	default:
		if both, ok := narrower(n.overrides, r); ok && both != nil && !n.overrides.equal(both) {
			n.overrides = both
			n.passRules()
		}
	}
}

// rulesLeft accounts for an edge with rules that no longer leads here.
func (n *Node) rulesLeft(r *ruleSet) {
	if n.overrides == nil || !n.overrides.equal(r) {
		return
	}
	var left *ruleSet
	for e := range n.edgesIn.all() {
		if left != nil && e.overrides != nil {
			left, _ = narrower(e.overrides, left)
		} else {
			left = e.overrides
		}
	}
	if n.overrides.equal(left) {
		return
	}
	n.overrides = left
	if left != nil {
		n.passRules()
	}
}

// passRules hands the node's rules on to its dependencies.
func (n *Node) passRules() {
	if n.isLink {
		n.forwardRules()
		return
	}
	for _, e := range n.EdgesOut() {
		e.reload(true)
		if e.to != nil {
			e.to.rulesArrived(e.overrides)
		}
	}
}

// forwardRules hands a link's rules to its target, if one of them names a
// package that the target needs, directly or not.
func (n *Node) forwardRules() {
	if n.target == nil || n.overrides == nil {
		return
	}
	seen := map[*Node]bool{}
	stack := []*Node{n.target}
	for len(stack) > 0 {
		m := stack[len(stack)-1].Target()
		stack = stack[:len(stack)-1]
		if m == nil || seen[m] {
			continue
		}
		seen[m] = true
		for _, e := range m.edgesOut.list {
			if n.overrides.forEdge(e).name == e.Name {
				n.target.rulesArrived(n.overrides)
				return
			}
			if e.to != nil {
				stack = append(stack, e.to)
			}
		}
	}
}

// overridden reports whether the node has its version by an override: some edge
// that leads here stands under a rule for it that does not come from further up.
func (n *Node) overridden() bool {
	if n.overrides == nil || n.overrides.value == "" || n.overrides.name != n.Name {
		return false
	}
	for e := range n.edgesIn.all() {
		if r := e.overrides; r != nil && r.name == n.Name && r.value == n.Version() && !r.equal(e.from.overrides) {
			return true
		}
	}
	return false
}

// checkRootOverrides refuses overrides of what the project itself depends on,
// unless they say the same.
func checkRootOverrides(root *Node) error {
	if root.overrides == nil {
		return nil
	}
	for _, e := range root.edgesOut.list {
		if e.Spec() != e.written {
			return &OverrideError{Name: e.Name, Written: e.written, Override: e.Spec()}
		}
	}
	return nil
}
