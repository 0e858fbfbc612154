package target

import (
	"fmt"
	"strings"

	"weft/npm/semver"
)

// PlatformError says that a package is not for the target's platform (npm's
// EBADPLATFORM).
type PlatformError struct {
	// OS, CPU and Libc are the package's lists.
	OS, CPU, Libc []string
	// Target is what they were held against.
	Target Target
}

func (e *PlatformError) Error() string { return "check platform: " + e.Wants() }

// Wants says what the package asks for and what it would get.
func (e *PlatformError) Wants() string {
	var wants []string
	for _, w := range []struct {
		name string
		list []string
		have string
	}{{"os", e.OS, e.Target.OS}, {"cpu", e.CPU, e.Target.CPU}, {"libc", e.Libc, e.Target.Libc}} {
		if w.list != nil && !listed(w.have, w.list) {
			have := w.have
			if have == "" {
				have = "unknown"
			}
			wants = append(wants, fmt.Sprintf("%s %s (this is %s)", w.name, strings.Join(w.list, ", "), have))
		}
	}
	return "wants " + strings.Join(wants, " and ")
}

// CheckPlatform holds a package's os, cpu and libc lists against the target. A
// nil list accepts everything, so does the list "any"; an entry that begins
// with ! excludes; a libc list is never met where the C library is unknown. It
// returns a *PlatformError or nil. npm skips the check under --force: so must
// the caller.
func CheckPlatform(os, cpu, libc []string, t Target) error {
	if (os == nil || listed(t.OS, os)) &&
		(cpu == nil || listed(t.CPU, cpu)) &&
		(libc == nil || t.Libc != "" && listed(t.Libc, libc)) {
		return nil
	}
	return &PlatformError{OS: os, CPU: cpu, Libc: libc, Target: t}
}

// listed reports whether value passes the list: no exclusion names it and,
// unless there are only exclusions, some entry does.
func listed(value string, list []string) bool {
	if len(list) == 1 && list[0] == "any" {
		return true
	}
	match, exclusions := false, 0
	for _, entry := range list {
		name, excludes := strings.CutPrefix(entry, "!")
		switch {
		case excludes && name == value:
			return false
		case excludes:
			exclusions++
		case name == value:
			match = true
		}
	}
	return match || exclusions == len(list)
}

// Engines is the engines object of a manifest; manifest.Deps is one. A nil
// interface asks for nothing.
type Engines interface {
	Get(name string) (spec string, ok bool)
}

// EngineError says that a package asks for another Node or npm (npm's
// EBADENGINE). npm warns of it and goes on, unless engine-strict is set.
type EngineError struct {
	// WantNode and WantNpm are the ranges asked for, "" where none is.
	WantNode, WantNpm string
	// Node and Npm are what they were held against.
	Node, Npm string
}

func (e *EngineError) Error() string { return "check engine: " + e.Wants() }

// Wants says which versions the package asks for and what it would get.
func (e *EngineError) Wants() string {
	var wants []string
	if !engineOK(e.Node, e.WantNode) {
		wants = append(wants, fmt.Sprintf("node %s (this is %s)", e.WantNode, e.Node))
	}
	if !engineOK(e.Npm, e.WantNpm) {
		wants = append(wants, fmt.Sprintf("npm %s (this is %s)", e.WantNpm, e.Npm))
	}
	return "wants " + strings.Join(wants, " and ")
}

// CheckEngine holds engines.node and engines.npm against versions, prereleases
// included. An empty version is not checked: npm's --force is node == "" (npm
// itself is still checked then). A range that cannot be parsed is not met. It
// returns an *EngineError or nil.
func CheckEngine(engines Engines, node, npm string) error {
	if engines == nil {
		return nil
	}
	wantNode, _ := engines.Get("node")
	wantNpm, _ := engines.Get("npm")
	if engineOK(node, wantNode) && engineOK(npm, wantNpm) {
		return nil
	}
	return &EngineError{WantNode: wantNode, WantNpm: wantNpm, Node: node, Npm: npm}
}

func engineOK(version, want string) bool {
	return version == "" || want == "" ||
		semver.Satisfies(version, want, semver.Options{IncludePrerelease: true})
}
