package lockfile

import (
	"path"
	"path/filepath"
	"strings"

	"weft/npm/semver"
	"weft/npm/spec"
)

// resolvedOf gives the address of a package.
func resolvedOf(s spec.Spec, l legacy, dir string) string {
	switch {
	case s.Registry():
		return l.resolved
	case s.Type == spec.File:
		return resolvedForm(s, dir)
	}
	return s.FetchSpec
}

// specOf makes a spec of what a version 1 entry says, by the rules of npm 6. ok is false where it
// says nothing that can be read.
func specOf(name string, l legacy, dir string) (s spec.Spec, ok bool) {
	if s, ok := firstSpec(name, l, dir); ok {
		return s, true
	}
	s, err := resolveSpec(name, l.version, dir)
	return s, err == nil
}

// firstSpec tries version, from and resolved in turn. What cannot be read ends the search.
func firstSpec(name string, l legacy, dir string) (spec.Spec, bool) {
	if l.version != "" {
		s, err := resolveSpec(name, l.version, dir)
		if err != nil || l.integrity != "" || s.Type == spec.Git {
			return s, err == nil
		}
	}
	if l.from != "" {
		s, err := resolveSpec(name, l.from, dir)
		if err == nil && s.Registry() && l.version != "" {
			s, err = resolveSpec(name, l.version, dir)
			return s, err == nil
		}
		if err != nil || l.resolved == "" {
			return s, err == nil
		}
	}
	if l.resolved != "" {
		s, err := resolveSpec(name, l.resolved, dir)
		return s, err == nil
	}
	return spec.Spec{}, false
}

func resolveSpec(name, text, dir string) (spec.Spec, error) {
	if text == "" {
		text = "*"
	}
	return spec.Resolve(name, text, dir)
}

// resolvedForm gives a spec in the form that lockfiles have it: git hosts by their SSH address,
// files relative to the project.
func resolvedForm(s spec.Spec, dir string) string {
	switch {
	case s.Type == spec.File || s.Type == spec.Directory:
		return "file:" + relative(dir, s.FetchSpec)
	case s.Hosted != nil:
		form := spec.FormSSHURL
		if s.Hosted.Auth != "" {
			form = spec.FormHTTPS
		}
		return "git+" + strings.TrimPrefix(s.Hosted.Address(form), "git+")
	case s.Type == spec.Git:
		return s.SaveSpec
	case s.RawSpec == "*":
		return s.Raw
	}
	return s.RawSpec
}

// relative is the slash path from one folder to a path.
func relative(from, to string) string {
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return filepath.ToSlash(to)
	}
	if rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

// versionFromTarball reads name and version out of a tarball's file name, and the scope out of a
// registry's address.
func versionFromTarball(name, tarball string) (found, version string, ok bool) {
	base := path.Base(tarball)
	stem, ok := strings.CutSuffix(base, ".tgz")
	if !ok {
		return "", "", false
	}
	project := name
	if strings.HasPrefix(tarball, "http:/") || strings.HasPrefix(tarball, "https:/") {
		if before, after, ok := cutLast(tarball, "/-/"); ok && after == base {
			project = before[strings.Index(before, "//")+2:]
		}
	}
	project = strings.ReplaceAll(strings.ReplaceAll(project, "%2f", "/"), "%2F", "/")
	scope := ""
	if before, last, ok := cutLast(project, "/"); ok {
		scope, project = before[strings.LastIndexByte(before, '/')+1:], last
	}
	rest, ok := strings.CutPrefix(stem, project+"-")
	if !ok {
		return "", "", false
	}
	version, ok = semver.Valid(rest, semver.Options{})
	if !ok {
		return "", "", false
	}
	if strings.HasPrefix(scope, "@") {
		project = scope + "/" + project
	}
	return project, version, true
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
