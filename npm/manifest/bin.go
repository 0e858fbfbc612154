package manifest

import (
	"path"
	"slices"
	"strings"

	"weft/internal/jsonval"
)

// NormalizeBin reads a bin field of any shape and returns safe commands: names without a path,
// targets that stay inside the package. A single string is the command of the package's own name
// (less its scope); of a list each file is a command. What cannot be made safe is dropped. The
// rules are npm-normalize-package-bin's.
func NormalizeBin(packageName string, bin jsonval.Value) Deps {
	var deps Deps
	switch bin.Kind() {
	case jsonval.String:
		target, _ := bin.Str()
		if packageName == "" || target == "" {
			return nil
		}
		deps = Deps{{packageName, target}}
	case jsonval.Array:
		deps = binList(bin.Elems())
	case jsonval.Object:
		deps = DepsFromValue(bin)
	default:
		return nil
	}
	if tidyBin(deps) {
		return deps
	}
	return repairBin(deps)
}

// binList names each file of a list by its last part.
func binList(files []jsonval.Value) Deps {
	var members []jsonval.Member
	for _, f := range files {
		if target, ok := f.Str(); ok {
			if name := baseName(target); name != "__proto__" {
				members = append(members, jsonval.Member{Key: name, Value: f})
			}
		}
	}
	return DepsFromValue(jsonval.OfObject(members...))
}

// tidyBin reports whether nothing needs repair, the common case.
func tidyBin(deps Deps) bool {
	for _, d := range deps {
		if baseName(safePath(d.Name)) != d.Name || d.Name == "" || safePath(d.Spec) != d.Spec || d.Spec == "" {
			return false
		}
	}
	return true
}

// repairBin goes through the commands in their order. A command renamed to one that exists takes
// over its place and target, as assignment to a JavaScript object does.
func repairBin(deps Deps) Deps {
	result := slices.Clone(deps)
	for _, d := range deps {
		at := result.find(d.Name)
		if at < 0 {
			continue
		}
		name, target := baseName(safePath(d.Name)), safePath(result[at].Spec)
		if name == d.Name && name != "" && target != "" {
			result[at].Spec = target
			continue
		}
		result = slices.Delete(result, at, at+1)
		if name == "" || target == "" {
			continue
		}
		if at = result.find(name); at >= 0 {
			result[at].Spec = target
		} else if name != "__proto__" {
			result = append(result, Dep{name, target})
		}
	}
	if len(result) == 0 {
		return nil
	}
	return DepsFromValue(result.Value()) // integer-like names go first again
}

// safePath makes a path relative to the package and keeps it inside: backslashes and colons count
// as slashes, leading ".." vanish. It returns "" where nothing remains.
func safePath(p string) string {
	if strings.ContainsAny(p, `\:`) {
		p = strings.NewReplacer(`\`, "/", ":", "/").Replace(p)
	}
	clean := path.Clean("/" + p)[1:]
	if clean != "" && strings.HasSuffix(p, "/") {
		clean += "/"
	}
	return clean
}

// baseName is the last part of a slash path, trailing slashes aside; "" if there is none.
func baseName(p string) string {
	p = strings.TrimRight(p, "/")
	return p[strings.LastIndexByte(p, '/')+1:]
}

// ExpandBinDir makes commands of the files in the folder that directories.bin names, where the
// manifest has that field and no bin. files are the slash paths of the package's files. Like npm it
// takes folders below that one for commands too, and passes over names that begin with a dot. It
// changes the Manifest: call it before sharing.
func (m *Manifest) ExpandBinDir(files []string) {
	if bin, _ := m.Raw.Get("bin"); bin.Truthy() {
		return
	}
	directories, _ := m.Raw.Get("directories")
	field, _ := directories.Get("bin")
	folder, _ := field.Str()
	if folder == "" {
		return
	}
	folder = safePath(folder)
	prefix := strings.TrimRight(folder, "/") + "/"
	if prefix == "/" {
		prefix = ""
	}
	seen := map[string]bool{}
	var found []string
	for _, f := range files {
		rest, ok := strings.CutPrefix(f, prefix)
		if !ok || hidden(rest) {
			continue
		}
		for p := rest; p != "." && !seen[p]; p = path.Dir(p) {
			seen[p] = true
			found = append(found, p)
		}
	}
	slices.Sort(found)
	var members []jsonval.Member
	for _, p := range found {
		members = append(members, jsonval.Member{Key: path.Base(p), Value: jsonval.OfString(folder + "/" + safePath(p))})
	}
	m.Bin = NormalizeBin(m.Name, jsonval.OfObject(members...))
}

// hidden reports whether a part of the path begins with a dot.
func hidden(p string) bool {
	return p == "" || p[0] == '.' || strings.Contains(p, "/.")
}
