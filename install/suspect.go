package install

import (
	"path"
	"slices"

	"weft/install/plan"
	"weft/install/state"
)

// suspects are the places in node_modules where something else stands than what
// weft put there. A package.json proves little: whoever replaced a folder may have
// kept it. Only the record of the last install tells.
type suspects struct {
	packages map[string]bool // by location
	folders  map[string]bool // node_modules folders with such commands
	// unknown: there is no record, or it speaks of another time. Then packages
	// are what they say they are, as for npm, and any command may be wrong.
	unknown bool
}

// suspects compares the record with the disk. It is silent where node_modules
// itself is another folder than it was (somebody copied or restored it, and
// nothing in it is what it was) and where npm worked here since.
func (s *session) suspects() *suspects {
	out := &suspects{packages: map[string]bool{}, folders: map[string]bool{}}
	if s.o.CI {
		return out
	}
	if s.record == nil || !s.speaks(s.record) {
		out.unknown = true
		return out
	}
	for _, location := range s.record.Replaced(s.project.dir) {
		if dir := path.Dir(location); path.Base(dir) == ".bin" {
			out.folders[path.Dir(dir)] = true
		} else {
			out.packages[location] = true
		}
	}
	return out
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
}
