package install

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"weft/internal/jsonval"
	"weft/internal/regtest"
)

// npm runs npm in the project with an empty configuration but for the registry,
// and returns what it printed and whether it succeeded.
func (s *site) npm(args ...string) (string, bool) {
	s.Helper()
	cmd := exec.CommandContext(s.Context(), "npm", args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.Fatal(err)
	}
	return string(out), err == nil
}

// mustNpm is npm where nothing may fail.
func (s *site) mustNpm(args ...string) string {
	s.Helper()
	out, ok := s.npm(args...)
	if !ok {
		s.Fatalf("npm %s:\n%s", strings.Join(args, " "), out)
	}
	return out
}

// needNpm skips a test where there is no npm, and returns the version of its Node.
func needNpm(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("left out under -short")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("there is no npm to compare with")
	}
	out, err := exec.CommandContext(t.Context(), "node", "--version").Output()
	if err != nil {
		t.Skipf("there is no node to compare with: %v", err)
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "v")
}

// npmSite is a project that npm and weft work in under the same settings: npm's
// defaults, and no scripts.
func npmSite(t *testing.T, reg *regtest.Registry, node, manifest string) *site {
	t.Helper()
	s := siteAt(t, reg, manifest)
	s.node = node
	s.env = append(s.env,
		"npm_config_userconfig=/dev/null", "npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false",
		"npm_config_ignore_scripts=true", "npm_config_loglevel=error", "npm_config_progress=false")
	return s
}

// twin is a copy of a project, with everything in it.
func (s *site) twin() *site {
	s.Helper()
	other := *s
	other.dir = filepath.Join(s.TempDir(), "project")
	// Times are kept: both tools look at them.
	if out, err := exec.CommandContext(s.Context(), "cp", "-a", s.dir, other.dir).CombinedOutput(); err != nil {
		s.Fatalf("%v\n%s", err, out)
	}
	return &other
}

// same fails the test where two projects differ in any file.
func (s *site) same(what string, want map[string]string) {
	s.Helper()
	if diff := difference(want, s.files()); diff != "" {
		s.Errorf("%s:\n%s", what, diff)
	}
}

// files is the snapshot without folders: npm leaves scopes empty and weft folders
// of nested packages. Where a package is the end of a link that npm made to break a
// cycle, npm does not link its commands if it placed both in one run; then commands
// are left out.
func (s *site) files() map[string]string {
	s.Helper()
	all := s.snapshot()
	cyclic := strings.Contains(all[lockFile], `"resolved": "node_modules/`)
	maps.DeleteFunc(all, func(name, what string) bool {
		return what == "folder" || cyclic && strings.Contains(name, "/"+binFolder+"/")
	})
	return all
}

// listed is what npm ls says, without its first line and its complaints' paths.
func (s *site) listed() string {
	s.Helper()
	out, ok := s.npm("ls", "--all")
	var lines []string
	for i, line := range strings.Split(out, "\n") {
		if i > 0 && !strings.HasPrefix(line, "npm error A complete log") {
			lines = append(lines, strings.ReplaceAll(line, s.dir, ""))
		}
	}
	return strconv.FormatBool(ok) + "\n" + strings.Join(lines, "\n")
}

// npmBroke reports whether npm failed by a mistake of its own rather than with a
// verdict: for some worlds its own code throws, or it never ends a loop.
func npmBroke(out string) bool {
	for _, mark := range []string{"TypeError", "RangeError", "Cannot read prop", "Maximum call stack", "Exit handler never called"} {
		if strings.Contains(out, mark) {
			return true
		}
	}
	return false
}

// editProject changes what a world's project asks for: something goes, is wanted
// otherwise, moves to another group, or comes.
func editProject(rng *rand.Rand, w *regtest.World, manifest string) string {
	v, err := jsonval.ParseString(manifest)
	if err != nil {
		panic(err)
	}
	groups := []string{"dependencies", "devDependencies", "optionalDependencies"}
	deps := map[string][]jsonval.Member{}
	taken := map[string]bool{}
	for _, g := range groups {
		list, _ := v.Get(g)
		for _, m := range list.Members() {
			to := g
			switch rng.IntN(6) {
			case 0:
				continue
			case 1:
				m.Value = jsonval.OfString(pickSpec(rng, w, m.Key))
			case 2:
				to = groups[rng.IntN(2)]
			}
			taken[m.Key] = true
			deps[to] = append(deps[to], m)
		}
	}
	for range 1 + rng.IntN(2) {
		p := w.Packages[rng.IntN(len(w.Packages))]
		if !taken[p.Name] {
			taken[p.Name] = true
			g := groups[rng.IntN(len(groups))]
			deps[g] = append(deps[g], jsonval.Member{Key: p.Name, Value: jsonval.OfString(pickSpec(rng, w, p.Name))})
		}
	}
	var members []jsonval.Member
	for _, m := range v.Members() {
		if !slices.Contains(groups, m.Key) {
			members = append(members, m)
		}
	}
	for _, g := range groups {
		if len(deps[g]) > 0 {
			members = append(members, jsonval.Member{Key: g, Value: jsonval.OfObject(deps[g]...)})
		}
	}
	return string(jsonval.AppendJSON(nil, jsonval.OfObject(members...), "  ", "\n")) + "\n"
}

func pickSpec(rng *rand.Rand, w *regtest.World, name string) string {
	var versions []string
	for _, p := range w.Packages {
		if p.Name == name {
			versions = append(versions, p.Version)
		}
	}
	if len(versions) == 0 { // an alias
		p := w.Packages[rng.IntN(len(w.Packages))]
		return "npm:" + p.Name + "@" + p.Version
	}
	return []string{"^", "~", ">=", ""}[rng.IntN(4)] + versions[rng.IntN(len(versions))]
}

// TestAgainstNpm draws worlds and has npm and weft work in turns. WEFT_WORLDS is
// how many (4 by default), WEFT_SEED the first seed.
func TestAgainstNpm(t *testing.T) {
	node := needNpm(t)
	count := 4
	if n, err := strconv.Atoi(os.Getenv("WEFT_WORLDS")); err == nil {
		count = n
	}
	first := testSeed(t)
	for i := range count {
		seed := first + uint64(i)
		t.Run("seed "+strconv.FormatUint(seed, 10), func(t *testing.T) {
			w := regtest.Generate(seed, regtest.Shape{})
			reg := regtest.New(t)
			w.AddTo(reg)
			againstNpm(t, w, reg, node, rand.New(rand.NewPCG(seed, 4)))
		})
	}
}

func againstNpm(t *testing.T, w *regtest.World, reg *regtest.Registry, node string, rng *rand.Rand) {
	a, b := npmSite(t, reg, node, string(w.Project)), npmSite(t, reg, node, string(w.Project))
	b.home, b.env = a.home, a.env // one cache of npm's
	out, ok := a.npm("install")
	if npmBroke(out) {
		t.Skipf("npm fails by itself: %s", out)
	}
	if _, err := Run(context.Background(), b.options()); (err == nil) != ok {
		t.Fatalf("npm: %v, weft: %v\n%s\n%s", ok, err, w.Project, out)
	} else if err != nil {
		b.same("weft failed and left", map[string]string{"package.json": "-rw-r--r-- " + string(w.Project)})
		return
	}
	b.same("weft is not npm, from nothing", a.files())
	if t.Failed() {
		t.Fatalf("%s", w.Project)
	}

	// Each finds what it would find after itself: nothing to do, but for worlds
	// with which npm is not done after one run.
	again := a.twin()
	again.mustNpm("install")
	want := again.files()
	if strings.Contains(want[lockFile], "\"extraneous\": true,\n      \"inBundle\": true") {
		t.Skip("npm calls a bundle that it has just unpacked extraneous, and something else the next time")
	}
	a.run()
	a.same("weft after npm", want)
	b.mustNpm("install")
	b.same("npm after weft", want)
	if la, lb := a.listed(), b.listed(); la != lb {
		t.Errorf("npm ls after weft:\n%s\nafter npm:\n%s", lb, la)
	}
	// npm ci refuses some lockfiles of npm's own, such as those of a project with an
	// optional dependency that nobody has published.
	_, ok = again.npm("ci")
	want = again.files()
	out, ok2 := b.npm("ci")
	b.same("npm ci after weft", want)
	if ok2 != ok {
		t.Errorf("npm ci after weft: %v, after npm %v\n%s", ok2, ok, out)
	}
	if _, err := Run(context.Background(), a.options(ci)); (err == nil) != ok {
		t.Errorf("npm ci: %v, weft ci: %v\n%.400s", ok, err, out)
	}
	a.same("weft ci after npm", want)

	// Edits, from what either left.
	for range 2 {
		edited := editProject(rng, w, a.read("package.json"))
		x, y := a.twin(), b.twin()
		x.write("package.json", edited)
		y.write("package.json", edited)
		out, ok := x.npm("install")
		if npmBroke(out) || strings.Contains(x.files()[lockFile], "\"extraneous\": true,\n      \"inBundle\": true") {
			t.Logf("npm fails by itself: %s", out)
			continue
		}
		if ok && strings.Contains(x.listed(), "missing: ") {
			t.Logf("npm left out what it should have installed, after the edit to\n%s", edited)
			continue
		}
		_, err := Run(context.Background(), y.options())
		if (err == nil) != ok {
			t.Fatalf("after the edit npm: %v, weft: %v\n%s\n%s", ok, err, edited, out)
		}
		if err != nil {
			continue
		}
		y.same("weft is not npm after the edit to\n"+edited, x.files())
		if t.Failed() {
			t.FailNow()
		}
		a, b = x, y
	}
}
