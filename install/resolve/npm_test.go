package resolve

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"weft/npm/lockfile"
	"weft/npm/manifest"
)

// outcome is what a resolver made of a case: a lockfile, or the code of an
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
	o, err := optionsOf(dir, reg)
	if err != nil {
		return outcome{Code: err.Error()}
	}
	if change != nil {
		change(&o)
	}
	r, err := Ideal(context.Background(), o)
	if err != nil {
		return outcome{Code: code(err)}
	}
	data, err := os.ReadFile(filepath.Join(o.Dir, "package.json"))
	if err != nil {
		return outcome{Code: err.Error()}
	}
	return outcome{Lock: string(r.Tree.Lockfile(LockOptions{Previous: o.Lock}).Marshal(lockfile.DetectFormat(data)))}
}

// optionsOf are the options for a case folder.
func optionsOf(dir string, reg map[string]json.RawMessage) (o Options, err error) {
	project := filepath.Join(dir, "project")
	data, err := os.ReadFile(filepath.Join(project, "package.json"))
	if err != nil {
		return o, err
	}
	m, err := manifest.Parse(data)
	if err != nil {
		return o, err
	}
	o = Options{Dir: project, Manifest: m, Target: node20, Source: &memorySource{registry: reg}, FullMetadata: true, UnpackBundles: true}
	if lock, err := os.ReadFile(filepath.Join(project, "package-lock.json")); err == nil {
		if o.Lock, err = lockfile.Parse(lock); err != nil {
			return o, err
		}
	} else if o.Actual, err = Actual(project); err != nil {
		return o, err
	}
	return o, nil
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

// graphStages are the states in which a graph is resolved: from nothing, and from
// the lockfile of that after an edit of package.json.
var graphStages = []string{"fresh", "edited"}

// outOfSync says what a ci run would refuse a project for, as testdata/npm.cjs
// does.
func outOfSync(dir string, reg map[string]json.RawMessage) outcome {
	o, err := optionsOf(dir, reg)
	if err != nil {
		return outcome{Code: err.Error()}
	}
	o.FrozenPeers = true
	virtual, err := Virtual(o.Dir, o.Manifest, o.Lock)
	if err != nil {
		return outcome{Code: code(err)}
	}
	r, err := Ideal(context.Background(), o)
	if err != nil {
		return outcome{Code: code(err)}
	}
	var lines []string
	for _, m := range ValidateLock(virtual, r.Tree) {
		line := fmt.Sprintf("missing %s@%s", m.Name, m.Wanted)
		if m.Locked != "" {
			line = fmt.Sprintf("invalid %s@%s %s@%s", m.Name, m.Locked, m.Name, m.Wanted)
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	if len(lines) == 0 {
		return outcome{Code: "in sync"}
	}
	return outcome{Code: strings.Join(lines, "\n")}
}

// TestOutOfSync compares what a ci run would refuse edited projects for.
func TestOutOfSync(t *testing.T) {
	if npmDir() == "" || testing.Short() {
		t.Skip("no npm here, or no time for it")
	}
	var dirs []string
	var got []outcome
	top := t.TempDir()
	for seed := range uint64(60) {
		g := makeGraph(seed + 1)
		dir := filepath.Join(top, fmt.Sprint(seed))
		if err := g.write(dir); err != nil {
			t.Fatal(err)
		}
		project := filepath.Join(dir, "project")
		fresh := ours(dir, g.Registry, nil)
		if fresh.Code != "" {
			continue
		}
		if seed%4 != 0 {
			g.edit(seed)
		}
		for name, text := range map[string]string{"package-lock.json": fresh.Lock, "../settings.json": `{"ci":true}`} {
			if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.writeProject(project); err != nil {
			t.Fatal(err)
		}
		dirs, got = append(dirs, dir), append(got, outOfSync(dir, g.Registry))
	}
	codes := map[string]int{}
	for i, npm := range askNpm(t, dirs) {
		if got[i] != npm && !npm.broken() {
			t.Errorf("%s: got\n%v\nnpm has\n%v", dirs[i], got[i], npm)
		}
		codes[npm.Code[:2]]++
	}
	t.Log(codes)
}

// runGraphs resolves graphs in every stage, with mine and, if npm is asked, with
// npm too, and hands every result to check. Between the stages the lockfile stays
// in the project.
func runGraphs(t *testing.T, seeds []uint64, withNpm bool, check func(stage string, seed uint64, got, npm outcome)) {
	t.Helper()
	var dirs []string
	var graphs []*graph
	top := t.TempDir()
	for _, seed := range seeds {
		g := makeGraph(seed)
		dir := filepath.Join(top, fmt.Sprint(seed))
		if err := g.write(dir); err != nil {
			t.Fatal(err)
		}
		graphs, dirs = append(graphs, g), append(dirs, dir)
	}
	for i, stage := range graphStages {
		got, npm := make([]outcome, len(seeds)), make([]outcome, len(seeds))
		for j, g := range graphs {
			project := filepath.Join(dirs[j], "project")
			if i > 0 {
				g.edit(seeds[j])
				if err := g.writeProject(project); err != nil {
					t.Fatal(err)
				}
			}
			got[j] = ours(dirs[j], g.Registry, nil)
		}
		if withNpm {
			npm = askNpm(t, dirs)
		}
		for j, seed := range seeds {
			check(stage, seed, got[j], npm[j])
			if !withNpm && got[j].Lock != "" {
				lock := filepath.Join(dirs[j], "project", "package-lock.json")
				if err := os.WriteFile(lock, []byte(got[j].Lock), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// broken reports whether npm failed by itself: it hung, or threw what is no
// verdict on the graph.
func (o outcome) broken() bool {
	return o.Code == "SLOW" || strings.Contains(o.Code, "TypeError") || strings.Contains(o.Code, "RangeError")
}

// String is the code, or a short digest of the lockfile.
func (o outcome) String() string {
	if o.Code != "" {
		return o.Code
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(o.Lock)))[:16]
}

// TestGraphsAgainstNpm compares made-up graphs with what npm makes of them.
// WEFT_GRAPHS is how many (10 by default), WEFT_SEED the first seed. It is left
// out where there is no npm.
func TestGraphsAgainstNpm(t *testing.T) {
	if npmDir() == "" || testing.Short() {
		t.Skip("no npm here, or no time for it")
	}
	count, first := 10, uint64(1000)
	if n, err := strconv.Atoi(os.Getenv("WEFT_GRAPHS")); err == nil {
		count = n
	}
	if n, err := strconv.ParseUint(os.Getenv("WEFT_SEED"), 10, 64); err == nil {
		first = n
	}
	seeds := make([]uint64, count)
	for i := range seeds {
		seeds[i] = first + uint64(i)
	}
	same := 0
	runGraphs(t, seeds, true, func(stage string, seed uint64, got, npm outcome) {
		switch {
		case npm.broken():
			t.Logf("%s, seed %d: npm fails: %.60q; this package: %.60q", stage, seed, npm.Code, got.Code)
		case got == npm:
			same++
		default:
			t.Errorf("%s, seed %d: %v, but npm has %v", stage, seed, got, npm)
			sameText(t, []byte(got.Lock), []byte(npm.Lock))
		}
	})
	t.Logf("%d of %d alike", same, count*len(graphStages))
}

// graphsGolden has a line for each graph and stage: stage, seed, and npm's code or
// the digest of its lockfile.
const graphsGolden = "testdata/graphs.txt"

// TestGraphs compares graphs with what npm made of them when testdata was
// written. With -update npm is asked anew, about the seeds from 1 to 60.
func TestGraphs(t *testing.T) {
	seeds := make([]uint64, 60)
	for i := range seeds {
		seeds[i] = uint64(i + 1)
	}
	var lines strings.Builder
	runGraphs(t, seeds, *update, func(stage string, seed uint64, got, npm outcome) {
		if *update {
			if npm.broken() {
				npm = got
			}
			got = npm
		}
		fmt.Fprintf(&lines, "%s %d %v\n", stage, seed, got)
	})
	if *update {
		if err := os.WriteFile(graphsGolden, []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(graphsGolden)
	if err != nil {
		t.Fatal(err)
	}
	sameText(t, []byte(lines.String()), want)
}
