package link

import (
	"bytes"

	"weft/install/internal/dirfd"
)

const (
	runnableMode = 0o755
	allExecute   = 0o111
	headBytes    = 2048 // how far npm looks for the end of the first line
	maxBinBytes  = 1 << 30
)

// makeRunnable makes a command's file executable and repairs its first line. A file with other links is replaced by a
// private copy rather than changed, since those are the store's and other projects'. The copy is made in scratch.
func makeRunnable(folder *dirfd.Dir, name string, info dirfd.Info, scratch *dirfd.Dir) error {
	head, err := folder.Head(name, make([]byte, headBytes))
	if err != nil {
		return err
	}
	repair := hasCRLFShebang(head)
	if !repair && info.Mode&allExecute == allExecute {
		return nil
	}
	if !repair && info.Links == 1 {
		return folder.Chmod(name, runnableMode)
	}
	content, err := folder.Read(name, nil, maxBinBytes)
	if err != nil {
		return err
	}
	if repair {
		content = withoutCR(content)
	}
	copied := hiddenName(name)
	err = scratch.WriteFile(copied, content, runnableMode)
	if err == nil {
		err = scratch.Rename(copied, folder, name)
	}
	if err != nil {
		_ = scratch.Unlink(copied) // best effort: Clean finds it
	}
	return err
}

// hasCRLFShebang reports whether a file starts with a "#!" line that ends in CRLF, which a kernel takes for a program
// whose name ends in CR.
func hasCRLFShebang(head []byte) bool {
	line, _, found := bytes.Cut(head, []byte("\n"))
	return found && len(line) > 3 && bytes.HasPrefix(line, []byte("#!")) && line[len(line)-1] == '\r'
}

// withoutCR removes the CR at the end of the first line.
func withoutCR(content []byte) []byte {
	end := bytes.IndexByte(content, '\n')
	return append(content[:end-1:end-1], content[end:]...)
}
