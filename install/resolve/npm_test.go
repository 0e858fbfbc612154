package resolve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"weft/npm/lockfile"
	"weft/npm/manifest"
)

// verdictOf is what a resolver made of a case: a lockfile, or the code of an
// error.
type outcome struct {
	Lock string `json:"lock,omitempty"`
	Code string `json:"code,omitempty"`
}

// npmDir returns the folder of the npm that is installed, "" if there is none.
func npmDir() string {
	bin, err := exec.LookPath("npm")
	if err != nil {
		return ""
	}
	if bin, err = filepath.EvalSymlinks(bin); err != nil {
		return ""
	}
	return filepath.Dir(filepath.Dir(bin))
}

// askNpm resolves case folders with npm.
func askNpm(t *testing.T, dirs []string) []outcome {
	t.Helper()
	npm := npmDir()
	if npm == "" {
		t.Skip("no npm here")
	}
	cmd := exec.CommandContext(t.Context(), "node", append([]string{"testdata/npm.cjs", npm}, dirs...)...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm: %v\n%s", err, text)
	}
	out := make([]outcome, len(dirs))
	for i, dir := range dirs {
		data, err := os.ReadFile(filepath.Join(dir, "npm.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &out[i]); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// ours resolves a case folder with this package.
func ours(dir string, reg map[string]json.RawMessage, change func(*Options)) outcome {
	project := filepath.Join(dir, "project")
	data, err := os.ReadFile(filepath.Join(project, "package.json"))
	if err != nil {
		return outcome{Code: err.Error()}
	}
	m, err := manifest.Parse(data)
	if err != nil {
		return outcome{Code: err.Error()}
	}
	o := Options{Dir: project, Manifest: m, Target: node20, Source: &memorySource{registry: reg}, FullMetadata: true, UnpackBundles: true}
	if lock, err := os.ReadFile(filepath.Join(project, "package-lock.json")); err == nil {
		if o.Lock, err = lockfile.Parse(lock); err != nil {
			return outcome{Code: err.Error()}
		}
	} else if o.Actual, err = Actual(project); err != nil {
		return outcome{Code: err.Error()}
	}
	if change != nil {
		change(&o)
	}
	r, err := Ideal(context.Background(), o)
	if err != nil {
		return outcome{Code: code(err)}
	}
	return outcome{Lock: string(r.Tree.Lockfile(LockOptions{Previous: o.Lock}).Marshal(lockfile.DetectFormat(data)))}
}

// code is npm's code for an error.
func code(err error) string {
	var peer *PeerConflictError
	var load *LoadError
	var platform *PlatformError
	var override *OverrideError
	var lock *LockError
	switch {
	case errors.As(err, &peer):
		return "ERESOLVE"
	case errors.As(err, &load):
		var coded interface{ Code() string }
		if errors.Is(err, ErrNotFound) {
			return "E404"
		}
		if errors.As(err, &coded) {
			return coded.Code()
		}
	case errors.As(err, &platform):
		return "EBADPLATFORM"
	case errors.As(err, &lock):
		return "EMISSINGTARGET"
	case errors.As(err, &override):
		return "EOVERRIDE"
	}
	return err.Error()
}

// TestGraphsAgainstNpm resolves made-up graphs with npm and with this package,
// from nothing and then, after an edit of package.json, from npm's lockfile.
// WEFT_GRAPHS is how many (20 by default), WEFT_SEED the first seed.
func TestGraphsAgainstNpm(t *testing.T) {
	count, first := 20, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("WEFT_GRAPHS")); err == nil {
		count = n
	}
	if n, err := strconv.ParseUint(os.Getenv("WEFT_SEED"), 10, 64); err == nil {
		first = n
	}
	var dirs []string
	var graphs []*graph
	top := t.TempDir()
	for i := range count {
		seed := first + uint64(i)
		g := makeGraph(seed)
		dir := filepath.Join(top, fmt.Sprint(seed))
		if err := g.write(dir); err != nil {
			t.Fatal(err)
		}
		graphs, dirs = append(graphs, g), append(dirs, dir)
	}
	compare := func(stage string, mine func(dir string, g *graph) outcome) {
		got := make([]outcome, count)
		for i, dir := range dirs {
			if got[i] = mine(dir, graphs[i]); got[i].Code == ErrUnsettled.Error() {
				t.Logf("%s, seed %d does not settle", stage, first+uint64(i))
			}
		}
		codes := map[string]int{}
		for i, want := range askNpm(t, dirs) {
			codes[fmt.Sprintf("%.40s", want.Code)]++
			if strings.Contains(want.Code, "TypeError") || strings.Contains(want.Code, "RangeError") || want.Code == "SLOW" {
				t.Logf("%s, seed %d: npm fails: %.60q; this package: %.60q", stage, first+uint64(i), want.Code, got[i].Code)
				continue
			}
			if got[i] != want {
				t.Errorf("%s, seed %d: codes %q and npm's %q", stage, first+uint64(i), got[i].Code, want.Code)
				if got[i].Code == "" && want.Code == "" {
					sameText(t, []byte(got[i].Lock), []byte(want.Lock))
				}
			}
		}
		t.Logf("%s: npm's codes and how often: %v", stage, codes)
	}
	plain := func(dir string, g *graph) outcome { return ours(dir, g.Registry, nil) }
	compare("fresh", plain)
	for i, g := range graphs { // npm left its lockfile in the folder
		g.edit(first + uint64(i))
		if err := g.writeProject(filepath.Join(dirs[i], "project")); err != nil {
			t.Fatal(err)
		}
	}
	compare("edited", plain)
}
