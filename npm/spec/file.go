package spec

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

const windows = runtime.GOOS == "windows"

// hasSlash reports whether s has a character that separates folders on this system.
func hasSlash(s string) bool {
	return strings.IndexByte(s, '/') >= 0 || (windows && strings.IndexByte(s, '\\') >= 0)
}

// hasDrive reports whether s begins with a letter and a colon.
func hasDrive(s string) bool {
	return len(s) > 1 && s[1] == ':' && s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z'
}

// isFileSpec reports whether s is a path by its beginning: "file:", a dot, a slash, "~/" or a drive.
func isFileSpec(s string) bool {
	if s == "" {
		return false
	}
	return s[0] == '.' || s[0] == '/' || (windows && s[0] == '\\') || hasPrefixFold(s, "file:") ||
		strings.HasPrefix(s, "~/") || hasDrive(s)
}

// readFile reads a path as npm does, by the rules for file: URLs with some older customs on top.
func (s *Spec) readFile(where string) error {
	s.Type = Directory
	if isTarballName(s.RawSpec) {
		s.Type = File
	}
	where, err := workingDirectory(where)
	if err != nil {
		return err
	}
	s.Where = where
	path := strings.TrimPrefix(s.RawSpec, "file:")
	if windows {
		path = strings.ReplaceAll(path, `\`, "/")
	}
	path = repairFilePath(path)
	own := filePathname("/", path)
	resolved := filePathname(filepath.ToSlash(absolute(where)), path)
	home := ""
	if own == "/~" || strings.HasPrefix(own, "/~/") {
		if home, err = os.UserHomeDir(); err != nil {
			return err
		}
	}
	switch {
	case home != "":
		s.SaveSpec = "file:" + own[1:]
		resolved = resolve(home, filepath.FromSlash(own[min(3, len(own)):]))
	case !isAbsolute(path):
		s.SaveSpec = "file:" + relative(where, filepath.FromSlash(resolved))
	default:
		s.SaveSpec = "file:" + absolute(filepath.FromSlash(resolved))
	}
	s.FetchSpec = resolve(where, filepath.FromSlash(resolved))
	s.SaveSpec = strings.ReplaceAll(s.SaveSpec, `\`, "/")
	if strings.HasPrefix(s.SaveSpec, "file://") {
		s.SaveSpec = "file:/" + s.SaveSpec[len("file://"):]
	}
	return nil
}

// repairFilePath undoes what people write after "file:" that means something else in a URL: "//path" is the
// absolute path "/path", and "/../path" is relative.
func repairFilePath(path string) string {
	if strings.HasPrefix(path, "//") && len(path) > 2 && path[2] != '/' {
		path = "/" + path
	}
	trimmed := path
	for i := 0; i < 3 && strings.HasPrefix(trimmed, "/"); i++ {
		trimmed = trimmed[1:]
	}
	if trimmed != path && (trimmed == "." || trimmed == ".." ||
		strings.HasPrefix(trimmed, "./") || strings.HasPrefix(trimmed, "../")) {
		return trimmed
	}
	return path
}

// filePathname returns the path of the URL "file:" + path on the base folder, dot segments resolved. Characters
// that a URL would escape are kept, since npm escapes before and decodes after.
func filePathname(base, path string) string {
	path = strings.TrimRightFunc(path, func(r rune) bool { return r < ' ' && r != 0 && r != '\t' && r != '\n' && r != '\r' })
	var out []string
	switch {
	case strings.HasPrefix(path, "//"):
		path = path[2:] // the host is empty
	case strings.HasPrefix(path, "/"), startsWithDrive(path):
	default:
		out = splitClean(nil, strings.TrimPrefix(base, "/"))
		if path == "" {
			return "/" + strings.Join(append(out, ""), "/")
		}
	}
	out = splitClean(out, strings.TrimPrefix(path, "/"))
	name := "/" + strings.Join(out, "/")
	if windows && startsWithDrive(name[1:]) {
		return name[1:]
	}
	return name
}

// splitClean appends the segments of path to out, "." and ".." resolved; a drive is never removed.
func splitClean(out []string, path string) []string {
	if path == "" && out == nil {
		return out
	}
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		last := i == len(segments)-1
		switch segment {
		case "..":
			if len(out) > 1 || (len(out) == 1 && !(len(out[0]) == 2 && hasDrive(out[0]))) {
				out = out[:len(out)-1]
			}
			if last {
				out = append(out, "")
			}
		case ".":
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, segment)
		}
	}
	return out
}

// startsWithDrive reports whether a URL's path begins with a drive.
func startsWithDrive(path string) bool {
	return hasDrive(path) && (len(path) == 2 || path[2] == '/')
}

func isAbsolute(path string) bool {
	return strings.HasPrefix(path, "/") || (windows && len(path) > 2 && startsWithDrive(path))
}

// absolute is filepath.Abs without an error: where the working directory is unknown the path is only cleaned.
func absolute(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	return abs
}

// resolve returns path as seen from where.
func resolve(where, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return absolute(filepath.Join(where, path))
}

// relative returns the way from one folder to a path, "" where they are the same, as Node's path.relative does.
func relative(from, to string) string {
	rel, err := filepath.Rel(absolute(from), absolute(to))
	if err != nil {
		return absolute(to)
	}
	if rel == "." {
		return ""
	}
	return rel
}
