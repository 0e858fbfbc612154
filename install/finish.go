package install

import (
	"weft/install/plan"
	"weft/install/report"
	"weft/install/resolve"
	"weft/install/scripts"
)

// finish counts what was done and notes what people should know of it: packages
// whose scripts were not run, and deprecated ones.
func (a *assembly) finish(steps []plan.Step) {
	s := a.s
	for _, st := range steps {
		switch {
		case st.Action == plan.Remove:
			s.done.removed++
			continue
		case st.Ideal.Inert:
			continue
		case st.Action == plan.Keep:
			s.done.kept++
			a.refreshKept(st)
		case st.Action == plan.Add:
			s.done.added++
		case st.Action == plan.Change:
			s.done.changed++
		}
		a.note(st)
	}
	for _, n := range s.tree.Nodes() {
		if n.Parent() == nil || n.Inert {
			continue
		}
		location := n.Location()
		for _, d := range a.binsOf(n, location) {
			s.commands = append(s.commands, folderOf(location)+"/"+binFolder+"/"+d.Name)
		}
	}
}

// note looks at one package that is in place.
func (a *assembly) note(st plan.Step) {
	n := st.Ideal
	m := a.manifests[st.Location]
	p := scripts.Package{
		Name: n.PackageName(), Version: n.Version(), Location: st.Location,
		HasInstallScript: n.Manifest.HasInstallScript, OffRegistry: offRegistry(n),
	}
	if m != nil {
		p.Scripts = m.Scripts
	}
	if note, ok := scripts.Of(p); ok {
		a.s.blocked = append(a.s.blocked, note)
	}
	if st.Action != plan.Keep && n.Manifest.Deprecated != "" {
		a.s.deprecated = append(a.s.deprecated, report.Deprecation{Name: n.PackageName(), Version: n.Version(), Message: n.Manifest.Deprecated})
	}
}

// offRegistry reports whether the package is a directory or a tarball by address.
func offRegistry(n *resolve.Node) bool {
	return n.IsLink() || !n.FromRegistry()
}
