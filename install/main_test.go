package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"weft/install/report"
	"weft/internal/jsonval"
	"weft/internal/regtest"
	"weft/npm/lockfile"
	"weft/npm/tarball"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// nodeVersion is what is installed for where no test asks for another.
const nodeVersion = "20.20.2"

// site is a project with a home, a store and a registry, all of a test's own.
type site struct {
	*testing.T
	dir, home, store, cache string
	reg                     *regtest.Registry
	env                     []string
	node                    string
}

// newSite makes a project of a package.json and packages in regtest's text form.
func newSite(t *testing.T, manifest, packages string) *site {
	t.Helper()
	reg := regtest.New(t)
	if err := reg.AddText(packages); err != nil {
		t.Fatal(err)
	}
	return siteAt(t, reg, manifest)
}

func siteAt(t *testing.T, reg *regtest.Registry, manifest string) *site {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &site{
		T: t, reg: reg, node: nodeVersion,
		dir: filepath.Join(top, "project"), home: filepath.Join(top, "home"), store: filepath.Join(top, "store"), cache: filepath.Join(top, "cache"),
	}
	for _, dir := range []string{s.dir, s.home} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.env = []string{
		"HOME=" + s.home, "PATH=" + os.Getenv("PATH"), "npm_config_registry=" + reg.URL(),
		"npm_config_globalconfig=" + filepath.Join(top, "no-npmrc"),
		"npm_config_fetch_retries=1", "npm_config_fetch_retry_mintimeout=1", "npm_config_fetch_retry_maxtimeout=2",
	}
	s.write("package.json", manifest)
	return s
}

// sibling is another project with the same registry, store and cache.
func (s *site) sibling(manifest string) *site {
	s.Helper()
	other := *s
	other.dir = filepath.Join(s.TempDir(), "sibling")
	if err := os.MkdirAll(other.dir, 0o755); err != nil {
		s.Fatal(err)
	}
	other.write("package.json", manifest)
	return &other
}

func (s *site) at(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *site) write(name, text string) {
	s.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(s.at(name)), 0o755), os.WriteFile(s.at(name), []byte(text), 0o644)); err != nil {
		s.Fatal(err)
	}
}

func (s *site) read(name string) string {
	s.Helper()
	text, err := os.ReadFile(s.at(name))
	if err != nil {
		s.Fatal(err)
	}
	return string(text)
}

func (s *site) remove(names ...string) {
	s.Helper()
	for _, name := range names {
		if err := os.RemoveAll(s.at(name)); err != nil {
			s.Fatal(err)
		}
	}
}

// has fails the test unless these are there; a leading ! means that one is not.
func (s *site) has(names ...string) {
	s.Helper()
	for _, name := range names {
		name, absent := strings.CutPrefix(name, "!")
		_, err := os.Lstat(s.at(name))
		if absent && err == nil {
			s.Errorf("%s is there", name)
		} else if !absent && err != nil {
			s.Errorf("%s: %v", name, err)
		}
	}
}

// version reads the version of the package at a location.
func (s *site) version(location string) string {
	s.Helper()
	v, err := jsonval.ParseString(s.read(location + "/package.json"))
	if err != nil {
		s.Fatal(err)
	}
	text, _ := v.Get("version")
	version, _ := text.Str()
	return version
}

func (s *site) options(change ...func(*Options)) Options {
	o := Options{Dir: s.dir, Env: s.env, StoreDir: s.store, CacheDir: s.cache, NodeVersion: s.node}
	for _, c := range change {
		c(&o)
	}
	return o
}

func ci(o *Options) { o.CI = true }

func flag(name, value string) func(*Options) {
	return func(o *Options) {
		flags := map[string]string{name: value}
		for k, v := range o.Flags {
			flags[k] = v
		}
		o.Flags = flags
	}
}

// run installs; an error ends the test.
func (s *site) run(change ...func(*Options)) *report.Summary {
	s.Helper()
	sum, err := Run(context.Background(), s.options(change...))
	if err != nil {
		s.Fatal(err)
	}
	return sum
}

// fails installs and wants an error, which it returns behind its words.
func (s *site) fails(change ...func(*Options)) (string, error) {
	s.Helper()
	_, err := Run(context.Background(), s.options(change...))
	if err == nil {
		s.Fatal("no error")
	}
	var words strings.Builder
	report.New(report.Options{Stderr: &words, Stdout: &words}).Fail(err)
	return words.String(), err
}

// counts fails the test unless the summary has these numbers.
func (s *site) counts(sum *report.Summary, added, changed, removed, kept int) {
	s.Helper()
	if sum.Added != added || sum.Changed != changed || sum.Removed != removed || sum.Kept != kept {
		s.Errorf("added %d, changed %d, removed %d, kept %d; want %d, %d, %d, %d",
			sum.Added, sum.Changed, sum.Removed, sum.Kept, added, changed, removed, kept)
	}
}

// quiet runs f and fails the test if the registry is asked for anything.
func (s *site) quiet(f func()) {
	s.Helper()
	s.reg.Reset()
	f()
	if log := s.reg.Requests(); len(log) > 0 {
		s.Errorf("%d requests, the first for %s", len(log), log[0].Path)
	}
}

// settled checks all that must hold of a project after an install: node_modules
// is what the lockfile says, package by package and byte by byte, and another run
// has nothing to do.
func (s *site) settled(change ...func(*Options)) {
	s.Helper()
	s.whole()
	if text, err := os.ReadFile(s.at(lockFile)); err == nil {
		s.asLocked(text)
	}
	before := s.stamps()
	s.quiet(func() {
		if sum := s.run(change...); !sum.UpToDate {
			s.Errorf("another run was not up to date: %+v", sum)
		}
	})
	if diff := difference(before, s.stamps()); diff != "" {
		s.Errorf("a run that had nothing to do changed files:\n%s", diff)
	}
}

// asLocked compares node_modules with what the lockfile says of it.
func (s *site) asLocked(text []byte) {
	s.Helper()
	f, err := lockfile.Parse(text)
	if err != nil {
		s.Fatal(err)
	}
	for location, e := range f.Packages.All() {
		if !strings.Contains(location, "node_modules/") || e.Link || e.Optional || e.DevOptional || e.Dev {
			continue
		}
		if got := s.version(location); got != e.Version {
			s.Errorf("%s is version %s, the lockfile says %s", location, got, e.Version)
		}
	}
	for _, location := range s.packages() {
		if f.Packages.Get(location) == nil {
			s.Errorf("%s is not in the lockfile", location)
		}
	}
}

// packages are the locations of all package folders below node_modules, links
// left out.
func (s *site) packages() []string {
	s.Helper()
	var list []string
	var folder func(at string)
	folder = func(at string) {
		entries, err := os.ReadDir(s.at(at))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.Fatal(err)
		}
		for _, e := range entries {
			name := path.Join(at, e.Name())
			switch {
			case strings.HasPrefix(e.Name(), ".") || !e.IsDir():
			case strings.HasPrefix(e.Name(), "@") && path.Base(at) == "node_modules":
				folder(name)
			default:
				list = append(list, name)
				folder(name + "/node_modules")
			}
		}
	}
	folder("node_modules")
	return list
}

// whole checks that every package folder has the files of its tarball and no
// others, and that nothing half-made lies about.
func (s *site) whole() {
	s.Helper()
	for _, location := range s.packages() {
		v, err := jsonval.Parse([]byte(s.read(location + "/package.json")))
		if err != nil {
			s.Errorf("%s: %v", location, err)
			continue
		}
		if s.bundled(location) {
			continue // checked as part of its holder
		}
		name, _ := v.Get("name")
		version, _ := v.Get("version")
		nameText, _ := name.Str()
		versionText, _ := version.Str()
		tgz, err := s.reg.Tarball(nameText, versionText)
		if err != nil {
			s.Fatal(err)
		}
		s.sameFiles(location, tgz)
	}
	_ = filepath.WalkDir(s.at("node_modules"), func(name string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), ".weft-") && e.Name() != ".weft-state" {
			s.Errorf("%s was left behind", name)
		}
		return nil
	})
}

// bundled reports whether the tarball of the package that a location nests in
// brings that one.
func (s *site) bundled(location string) bool {
	s.Helper()
	i := strings.LastIndex(location, "/node_modules/")
	if i < 0 {
		return false
	}
	holder := location[:i]
	if s.bundled(holder) {
		return true
	}
	v, err := jsonval.ParseString(s.read(holder + "/package.json"))
	if err != nil {
		s.Fatal(err)
	}
	list, _ := v.Get("bundleDependencies")
	for _, e := range list.Elems() {
		if name, _ := e.Str(); name == location[i+len("/node_modules/"):] {
			return true
		}
	}
	return false
}

func (s *site) sameFiles(location string, tgz []byte) {
	s.Helper()
	a, err := tarball.Open(tgz, tarball.Limits{})
	if err != nil {
		s.Fatal(err)
	}
	defer a.Release()
	want := map[string]bool{}
	for _, f := range a.Files {
		want[f.Path] = true
		if got, err := os.ReadFile(s.at(location + "/" + f.Path)); err != nil || string(got) != string(f.Data) {
			s.Errorf("%s/%s is not what its tarball has: %v", location, f.Path, err)
		}
	}
	root := s.at(location)
	_ = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if rel == "node_modules" {
			return fs.SkipDir
		}
		if !e.IsDir() && !want[filepath.ToSlash(rel)] {
			s.Errorf("%s/%s is in no tarball", location, rel)
		}
		return err
	})
}

// snapshot maps every path below the project to what is there: mode and text, or
// where a link leads. The record, which is weft's own, is left out.
func (s *site) snapshot() map[string]string {
	return s.walk(func(name string, info fs.FileInfo) string {
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			end, _ := os.Readlink(name)
			return "-> " + end
		case info.IsDir():
			return "folder"
		}
		text, _ := os.ReadFile(name)
		return fmt.Sprintf("%v %s", info.Mode(), text)
	})
}

// stamps maps every path to its times.
func (s *site) stamps() map[string]string {
	return s.walk(func(_ string, info fs.FileInfo) string { return info.ModTime().Format(time.RFC3339Nano) })
}

func (s *site) walk(of func(name string, info fs.FileInfo) string) map[string]string {
	s.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(s.dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(s.dir, name)
		if e.Name() != ".weft-state" {
			all[filepath.ToSlash(rel)] = of(name, info)
		}
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return all
}

// difference lists the paths whose values differ, at most ten.
func difference(a, b map[string]string) string {
	var lines []string
	for name, was := range a {
		if now, ok := b[name]; !ok {
			lines = append(lines, "- "+name)
		} else if now != was {
			lines = append(lines, fmt.Sprintf("! %s: %s", name, firstDifference(was, now)))
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			lines = append(lines, "+ "+name)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines[:min(len(lines), 10)], "\n")
}

// firstDifference shows where two texts part.
func firstDifference(was, now string) string {
	a, b := strings.Split(was, "\n"), strings.Split(now, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	from := max(0, i-4)
	return fmt.Sprintf("line %d:\n%s\nwas\n%s", i+1, strings.Join(b[from:min(len(b), i+4)], "\n"), strings.Join(a[from:min(len(a), i+4)], "\n"))
}

// storeFiles lists the files of the store.
func (s *site) storeFiles() []string {
	s.Helper()
	var list []string
	err := filepath.WalkDir(s.store, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			list = append(list, name)
		}
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return list
}
