package install

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"weft/install/link"
	"weft/install/plan"
	"weft/install/report"
	"weft/install/resolve"
	"weft/npm/manifest"
	"weft/task"
)

// folderBins are the commands of one node_modules folder.
type folderBins struct {
	folder string // location of the node_modules folder
	bins   []link.Bin
	gone   []string // commands that no package brings any more
}

// binFolder is where the commands of a node_modules folder are.
const binFolder = ".bin"

// linkBins links the commands of every node_modules folder that a step changed or
// where a command is not as it was left, and removes those that lost their package.
func (a *assembly) linkBins(ctx context.Context) error {
	if !a.s.config.Bool("bin-links") {
		return nil
	}
	touched := map[string][]string{} // folder to the commands that were there
	for _, st := range a.steps {
		folder := folderOf(st.Location)
		switch {
		case st.Action != plan.Keep || st.Ideal != nil && st.Ideal.Inert:
			touched[folder] = append(touched[folder], a.commands(st)...)
		case st.Ideal != nil && !a.sound(st.Ideal, folder):
			if _, ok := touched[folder]; !ok {
				touched[folder] = nil
			}
		}
	}
	work := a.binsIn(touched)
	_, err := task.Map(ctx, work, func(_ context.Context, f folderBins) (struct{}, error) {
		if err := a.links.Bins(f.folder, f.bins); err != nil {
			a.s.rep.Warn(report.Warning{Code: "WARN_BIN", What: err.Error()})
		}
		return struct{}{}, a.links.RemoveBins(f.folder, f.gone)
	})
	return err
}

// binsIn collects the commands of all installed packages in the touched folders.
func (a *assembly) binsIn(touched map[string][]string) []folderBins {
	bins := make(map[string][]link.Bin, len(touched))
	for _, n := range a.s.tree.Nodes() {
		if n.Parent() == nil || n.Inert {
			continue
		}
		location := n.Location()
		folder := folderOf(location)
		if _, ok := touched[folder]; !ok {
			continue
		}
		for _, d := range a.binsOf(n, location) {
			bins[folder] = append(bins[folder], link.Bin{Name: d.Name, Package: location, Target: d.Spec, Linked: n.IsLink()})
		}
	}
	work := make([]folderBins, 0, len(touched))
	for folder, were := range touched {
		brought := bins[folder]
		gone := slices.DeleteFunc(were, func(name string) bool {
			return slices.ContainsFunc(brought, func(b link.Bin) bool { return b.Name == name })
		})
		work = append(work, folderBins{folder: folder, bins: brought, gone: gone})
	}
	return work
}

// binsOf are a package's commands: those of its own package.json where that was
// read, since it may name a folder of them, else those of the tree, or, if it was
// kept, of the record.
func (a *assembly) binsOf(n *resolve.Node, location string) manifest.Deps {
	if m := a.manifests[location]; m != nil {
		return m.Bin
	}
	if len(n.Manifest.Bin) > 0 || !a.kept[location] {
		return n.Manifest.Bin
	}
	return a.suspect.brought[location]
}

// sound reports whether the commands of a package that is kept are as they were left.
func (a *assembly) sound(n *resolve.Node, folder string) bool {
	for _, d := range a.binsOf(n, n.Location()) {
		if !a.suspect.sound[folder+"/"+binFolder+"/"+d.Name] {
			return false
		}
	}
	return true
}

// commands are the names of what was linked for the package that was there.
func (a *assembly) commands(st plan.Step) []string {
	if st.Actual == nil {
		return nil
	}
	var names []string
	for _, list := range []manifest.Deps{st.Actual.Manifest.Bin, a.suspect.brought[st.Location]} {
		for _, d := range list {
			names = append(names, d.Name)
		}
	}
	return names
}

// folderOf is the node_modules folder that a location lies in.
func folderOf(location string) string {
	dir := path.Dir(location)
	if strings.HasPrefix(path.Base(dir), "@") {
		dir = path.Dir(dir)
	}
	return dir
}

// slashRel is the slash path from the project to another place.
func slashRel(from, to string) (string, error) {
	rel, err := filepath.Rel(filepath.FromSlash(from), filepath.FromSlash(to))
	return filepath.ToSlash(rel), err
}
