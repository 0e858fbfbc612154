package install

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"weft/install/plan"
)

// wipe empties node_modules for ci, which installs from nothing. It first waits
// until every package is in the store, so that a registry that fails costs
// nobody the tree that works.
func (a *assembly) wipe(ctx context.Context, steps []plan.Step) error {
	root, err := os.OpenRoot(a.s.project.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	st, err := root.Lstat("node_modules")
	if errors.Is(err, fs.ErrNotExist) || err == nil && !st.IsDir() {
		return nil // placing makes the folder, and replaces what is none
	}
	if err != nil {
		return err
	}
	for _, step := range steps {
		if n := step.Ideal; n != nil && !n.IsLink() && !step.Bundled {
			a.s.fetcher.Need(refOf(n))
		}
	}
	for _, step := range steps {
		if n := step.Ideal; n != nil && !n.IsLink() && !step.Bundled {
			if _, err := a.s.fetcher.Package(ctx, refOf(n)); err != nil && !n.Optional {
				return about(n, err)
			}
		}
	}
	folder, err := root.Open("node_modules")
	if err != nil {
		return err
	}
	names, err := folder.Readdirnames(-1)
	if err = errors.Join(err, folder.Close()); err != nil {
		return err
	}
	for _, name := range names {
		if err := root.RemoveAll("node_modules/" + name); err != nil {
			return err
		}
	}
	return nil
}
