package tarball

import (
	"path"
	"strings"
)

const (
	maxDepth          = 1024 // npm's: components after the strip
	maxComponentBytes = 255  // what file systems take
	// maxPathBytes bounds a whole path. npm is bounded by the system's 4096, which includes the project's own folder.
	maxPathBytes = 3500
)

// file names one entry as npm would and puts it into the tree.
func (r *reader) file(e entry, body []byte) error {
	name, ok := r.renameIgnore(e.path)
	if !ok {
		return nil
	}
	name, ok = r.safePath(name, e.linkpath)
	if !ok {
		return nil
	}
	mode := uint32(e.mode)&0o777 | 0o666
	return r.tree.add(name, mode&^0o022, body, e.typ == typeFile)
}

// renameIgnore turns .gitignore into .npmignore, which keeps an installed package publishable. Where the folder had an
// .npmignore before, the .gitignore is dropped.
func (r *reader) renameIgnore(name string) (string, bool) {
	trimmed := strings.TrimRight(name, "/")
	switch base := trimmed[strings.LastIndexByte(trimmed, '/')+1:]; base {
	case ".npmignore":
		if r.ignores == nil {
			r.ignores = make(map[string]bool)
		}
		r.ignores[name] = true
	case ".gitignore":
		if prefix, found := strings.CutSuffix(name, base); found {
			name = prefix + ".npmignore"
		}
		return name, !r.ignores[name]
	}
	return name, true
}

// safePath strips the leading component and returns a clean relative path, or false for an entry that is dropped.
func (r *reader) safePath(name, linkpath string) (string, bool) {
	if r.tree.windows {
		name = strings.ReplaceAll(name, `\`, "/")
		linkpath = strings.ReplaceAll(linkpath, `\`, "/")
	}
	for range r.strip {
		_, after, found := strings.Cut(name, "/")
		if !found {
			return "", false
		}
		name = after
	}
	if strings.Count(name, "/") >= maxDepth {
		r.tree.skipped++
		return "", false
	}
	name = stripRoot(name)
	if hasParent(name) || r.tree.windows && isDriveParent(name) || linkEscapes(name, linkpath) {
		r.tree.skipped++
		return "", false
	}
	name = path.Clean("/" + name)[1:]
	if name == "" {
		return "", false
	}
	if r.tree.windows {
		name = encodeWindows(name)
	}
	if len(name) > maxPathBytes || strings.IndexByte(name, 0) >= 0 {
		r.tree.skipped++
		return "", false
	}
	return name, true
}

// hasParent reports a ".." component, a backslash counting as a separator everywhere.
func hasParent(name string) bool {
	if !strings.Contains(name, "..") {
		return false
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(name, `\`, "/"), "/") {
		if part == ".." {
			return true
		}
	}
	return false
}

// isDriveParent reports "c:..", which Windows resolves against the drive's current folder.
func isDriveParent(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return len(first) == 4 && isLetter(first[0]) && first[1:] == ":.."
}

// linkEscapes reports a link path that leads out of the package. A file has none, but a PAX record can give it one, and
// npm then drops the file.
func linkEscapes(name, linkpath string) bool {
	if linkpath == "" {
		return false
	}
	target := stripRoot(linkpath)
	if !hasParent(target) {
		return false
	}
	resolved := path.Join(path.Dir(strings.TrimRight(name, "/")), strings.ReplaceAll(target, `\`, "/"))
	return resolved == ".." || strings.HasPrefix(resolved, "../")
}

// stripRoot removes every leading root, of POSIX and of Windows, on every system.
func stripRoot(name string) string {
	for {
		n := rootBytes(name)
		if n == 0 {
			return name
		}
		name = name[n:]
	}
}

// rootBytes returns the length of the root at the head of name: a separator, a drive with or without one, or a UNC share.
func rootBytes(name string) int {
	if name == "" {
		return 0
	}
	if name[0] == '/' && !strings.HasPrefix(name, "//?/") {
		return 1
	}
	if isSeparator(name[0]) {
		return shareBytes(name)
	}
	if len(name) < 2 || !isLetter(name[0]) || name[1] != ':' {
		return 0
	}
	if len(name) > 2 && isSeparator(name[2]) {
		return 3
	}
	return 2
}

// shareBytes returns the length of \\host\share\ at the head of name, or 1 where it only starts with a separator.
func shareBytes(name string) int {
	if len(name) < 2 || !isSeparator(name[1]) {
		return 1
	}
	skip := func(from int, separators bool) int {
		for from < len(name) && isSeparator(name[from]) == separators {
			from++
		}
		return from
	}
	hostEnd := skip(2, false)
	shareStart := skip(hostEnd, true)
	if hostEnd == 2 || shareStart == hostEnd || shareStart == len(name) {
		return 1
	}
	shareEnd := skip(shareStart, false)
	if shareEnd == len(name) {
		return shareEnd
	}
	return shareEnd + 1
}

func isSeparator(c byte) bool { return c == '/' || c == '\\' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// encodeWindows replaces characters that Windows forbids in names by private-use ones, as npm does.
func encodeWindows(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '|', '<', '>', '?', ':':
			return 0xf000 + r
		}
		return r
	}, name)
}
