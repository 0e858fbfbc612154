package install

import (
	"path"
	"slices"
	"strings"

	"weft/install/plan"
	"weft/install/state"
	"weft/npm/manifest"
)

// suspects are the places in node_modules where something else stands than what
// weft put there. A package.json proves little: whoever replaced a folder may have
// kept it. Only the record of the last install tells.
//
// Without a record, or with one that speaks of another time, packages are what they
// say they are, as for npm, and any command may be wrong.
type suspects struct {
	packages map[string]bool // by location
	sound    map[string]bool // commands that are as they were left, by path
	// brought are the commands that were linked for a package, by its location.
	// A package may name a folder of them, which only its own package.json says.
	brought map[string]manifest.Deps
}

// suspects compares the record with the disk. It is silent where node_modules
// itself is another folder than it was (somebody copied or restored it, and
// nothing in it is what it was) and where npm worked here since.
func (s *session) suspects() *suspects {
	out := &suspects{packages: map[string]bool{}, sound: map[string]bool{}, brought: map[string]manifest.Deps{}}
	if s.o.CI || s.record == nil || !s.speaks(s.record) {
		return out
	}
	for _, e := range s.record.Entries {
		if path.Base(path.Dir(e.Path)) == binFolder {
			out.sound[e.Path] = true
			out.bring(e)
		}
	}
	for _, at := range s.record.Replaced(s.project.dir) {
		if out.sound[at] {
			delete(out.sound, at)
		} else {
			out.packages[at] = true
		}
	}
	return out
}

// bring notes whose command a link is, by where it leads.
func (x *suspects) bring(e state.Entry) {
	bin := path.Dir(e.Path)
	modules := path.Dir(bin)
	file, ok := strings.CutPrefix(path.Join(bin, e.Target), modules+"/")
	if !ok || e.Target == "" {
		return
	}
	name, target, _ := strings.Cut(file, "/")
	if strings.HasPrefix(name, "@") {
		var base string
		base, target, _ = strings.Cut(target, "/")
		name += "/" + base
	}
	location := modules + "/" + name
	x.brought[location] = append(x.brought[location], manifest.Dep{Name: path.Base(e.Path), Spec: target})
}

// speaks reports whether a record is of the node_modules that is there.
func (s *session) speaks(r *state.Record) bool {
	whole := slices.IndexFunc(r.Entries, func(e state.Entry) bool { return e.Path == modulesFolder })
	hidden := slices.IndexFunc(r.Inputs, func(in state.Input) bool { return in.Path == hiddenLock })
	if whole < 0 || hidden < 0 || r.Inputs[hidden].Changed(s.project.dir) {
		return false
	}
	now, err := state.TakeEntry(s.project.dir, modulesFolder)
	return err == nil && now == r.Entries[whole]
}

// distrust changes what was to be kept in suspicious places. A bundled package
// that is wrong or missing comes again with its holder.
func (a *assembly) distrust() {
	at := make(map[string]*plan.Step, len(a.steps))
	for i := range a.steps {
		st := &a.steps[i]
		at[st.Location] = st
		if st.Action == plan.Keep && st.Ideal != nil && a.suspect.packages[st.Location] {
			st.Action = plan.Change
		}
	}
	for i := range a.steps {
		st := &a.steps[i]
		if !st.Bundled || st.Action != plan.Add && st.Action != plan.Change {
			continue
		}
		n := st.Ideal.Parent()
		for at[n.Location()] != nil && at[n.Location()].Bundled {
			n = n.Parent()
		}
		if holder := at[n.Location()]; holder != nil && holder.Action == plan.Keep && holder.Ideal != nil {
			holder.Action = plan.Change
		}
	}
	a.kept = make(map[string]bool)
	for _, st := range a.steps {
		if st.Action == plan.Keep && st.Ideal != nil {
			a.kept[st.Location] = true
		}
	}
}
