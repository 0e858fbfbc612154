package house

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// subjectless names say where code was put and not what it is.
var subjectless = []string{"util", "utils", "common", "helper", "helpers", "misc", "shared", "base", "core", "lib", "stuff"}

func badPackageName(s *source) bool {
	return slices.Contains(subjectless, strings.TrimSuffix(s.ast.Name.Name, "_test")) ||
		slices.Contains(subjectless, path.Base(s.dir))
}

// secret is a pattern of what must not be committed. Its source is written
// with gaps, so that this file does not match itself.
type secret struct {
	why string
	// clue is a part of every match, in lower case: looking for it first is
	// twenty times faster than trying the pattern.
	clue    string
	pattern *regexp.Regexp
}

func gap(parts ...string) *regexp.Regexp { return regexp.MustCompile(strings.Join(parts, "")) }

// secrets: addresses of public registries stand in one place, assembled from
// parts (npmrc.DefaultRegistry), and paths of one machine in none.
var secrets = []secret{
	{"the address of a package registry", "registry.", gap(`(?i)registry\.`, `(npmjs|yarnpkg|npmmirror)`)},
	{"the address of a module proxy", "golang.", gap(`(?i)(proxy|sum)\.`, `golang\.`)},
	{"the address of a package archive", "debian.", gap(`(?i)(deb|security)\.`, `debian\.`)},
	{"the address of a package archive", "ubuntu.", gap(`(?i)(security|archive)\.`, `ubuntu\.`)},
	{"a path of one machine", "/work" + "/", gap(`(?m)(^|[^\w./}-])/`, `work/\w`)},
	{"a path of one machine", "/root" + "/", gap(`(?m)(^|[^\w./}-])/`, `root/\w`)},
	{"a path of one machine", "/tmp/", gap(`/tmp/`, `(studio|research)`)},
	{"the name of a machine", "farm-", gap(`farm-`, `(bench|studio)`)},
}

// unfinished marks work that somebody meant to do later.
var unfinished = gap(`//.*\b(TO`, `DO|FIX`, `ME|XX`, `X)\b`)

// leaks finds secrets in a text.
func leaks(name, text string) []string {
	var found []string
	at := func(i int) string { return fmt.Sprintf("%s:%d", name, strings.Count(text[:i], "\n")+1) }
	lower := strings.ToLower(text)
	for _, s := range secrets {
		if !strings.Contains(lower, s.clue) {
			continue
		}
		for _, hit := range s.pattern.FindAllStringIndex(text, -1) {
			found = append(found, fmt.Sprintf("%s: %q is %s", at(hit[1]), strings.TrimSpace(text[hit[0]:hit[1]]), s.why))
		}
	}
	if strings.HasSuffix(name, ".go") {
		for _, hit := range unfinished.FindAllStringIndex(text, -1) {
			found = append(found, fmt.Sprintf("%s: unfinished: %s", at(hit[0]), text[hit[0]:hit[1]]))
		}
	}
	return found
}

// textLimit keeps large recorded data from slowing the test down; text that
// people write is shorter.
const textLimit = 4 << 20

func TestWords(t *testing.T) {
	r := theRepo(t)
	var found []string
	for _, s := range r.gos {
		if badPackageName(s) {
			found = append(found, fmt.Sprintf("%s: the package's name has no subject", s.path))
		}
	}
	for _, name := range r.files {
		file := filepath.Join(r.top, filepath.FromSlash(name))
		if info, err := os.Stat(file); err != nil || info.Size() > textLimit {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, leaks(name, string(data))...)
	}
	complain(t, found)
}

func TestLicense(t *testing.T) {
	r := theRepo(t)
	data, err := os.ReadFile(filepath.Join(r.top, "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	if text := string(data); !strings.HasPrefix(text, "MIT License") || !strings.Contains(text, "the weft authors") {
		t.Error("LICENSE is not the MIT licence of the weft authors")
	}
	if !slices.Contains(r.files, "LICENSE") {
		t.Error("LICENSE is not tracked")
	}
}

func TestLeaksFinds(t *testing.T) {
	for _, bad := range []string{
		"https://registry." + "npmjs.org/a",
		"GOPROXY=https://proxy." + "golang.org",
		"http://deb." + "debian.org/debian",
		`"/wo` + `rk/main"`,
		"see /ro" + "ot/go/pkg",
		"x := 1 // TO" + "DO: later",
	} {
		if got := leaks("a.go", "fine\n"+bad+"\n"); len(got) != 1 || !strings.HasPrefix(got[0], "a.go:2: ") {
			t.Errorf("%q: %q", bad, got)
		}
	}
	for _, good := range []string{
		`"https://registry." + "npmjs" + ".org/"`,
		"node_modules/work/index.js and /workspace/ and a/root/b",
		"{dir}/root/x",
		"http://registry.test/",
		"todo lists are fine",
	} {
		if got := leaks("a.go", good); got != nil {
			t.Errorf("%q: %q", good, got)
		}
	}
}

func TestBadPackageNameFinds(t *testing.T) {
	for name, bad := range map[string]bool{
		"npm/util/a.go": true, "internal/gid/a.go": false, "internal/utility/a.go": false, "install/helpers/x.go": true,
	} {
		if got := badPackageName(snippet(t, name, "package "+path.Base(path.Dir(name))+"\n")); got != bad {
			t.Errorf("%s: %v", name, got)
		}
	}
}
