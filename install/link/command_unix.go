//go:build !windows

package link

import (
	"errors"
	"io/fs"

	"weft/install/internal/dirfd"
)

// makeCommand makes name in bin a symlink with the given text. What is there is replaced, in one step unless it is a folder.
func makeCommand(bin *dirfd.Dir, name, text string, _ *dirfd.Dir, _ string) error {
	err := bin.Symlink(text, name)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if old, err := bin.Readlink(name); err == nil && old == text {
		return nil
	}
	stage := hiddenName(name)
	if err := bin.Symlink(text, stage); err != nil {
		return err
	}
	if err = bin.Rename(stage, bin, name); err == nil {
		return nil
	}
	if err = bin.RemoveAll(name); err == nil {
		err = bin.Rename(stage, bin, name)
	}
	if err != nil {
		_ = bin.Unlink(stage) // best effort: Clean finds it
	}
	return err
}

// removeCommand removes a command if it is a symlink.
func removeCommand(bin *dirfd.Dir, name string) error {
	if _, err := bin.Readlink(name); err != nil {
		if _, statErr := bin.Lstat(name); statErr == nil {
			return nil // not ours
		}
		return err
	}
	return bin.Unlink(name)
}
