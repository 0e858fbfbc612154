package install

import (
	"errors"
	"io/fs"
	"os"
)

// wipe empties the project's node_modules for ci, which installs from nothing.
// One that is a link or a file is left to placing, which replaces it.
func wipe(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	st, err := root.Lstat(modulesFolder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !st.IsDir() {
		return nil
	}
	if err != nil {
		return err
	}
	folder, err := root.Open(modulesFolder)
	if err != nil {
		return err
	}
	names, err := folder.Readdirnames(-1)
	if err = errors.Join(err, folder.Close()); err != nil {
		return err
	}
	for _, name := range names {
		if err := root.RemoveAll(modulesFolder + "/" + name); err != nil {
			return err
		}
	}
	return nil
}
