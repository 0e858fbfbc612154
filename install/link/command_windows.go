package link

import (
	"bytes"
	"errors"
	"io/fs"

	"weft/install/internal/dirfd"
)

// makeCommand writes the two scripts of a command. What is there is replaced.
func makeCommand(bin *dirfd.Dir, name, text string, folder *dirfd.Dir, target string) error {
	head, err := folder.Head(target, make([]byte, headBytes))
	if err != nil {
		return err
	}
	cmd, sh := shimScripts(head, text)
	for file, content := range map[string]string{name + ".cmd": cmd, name: sh} {
		if err := bin.RemoveAll(file); err != nil {
			return err
		}
		if err := bin.WriteFile(file, []byte(content), runnableMode); err != nil {
			return err
		}
	}
	return nil
}

// removeCommand removes the scripts of a command, if they are ours.
func removeCommand(bin *dirfd.Dir, name string) error {
	var errs []error
	for _, file := range []string{name, name + ".cmd"} {
		head, err := bin.Head(file, make([]byte, headBytes))
		if err == nil && bytes.Contains(head, []byte(shimMark)) {
			err = bin.Unlink(file)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
