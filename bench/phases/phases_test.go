package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"weft/bench/internal/peer"
	"weft/bench/registry/archive"
)

// TestMain lets the test binary be the launcher and the registry, which are
// second copies of this program.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == launchWord {
		os.Exit(launcher(os.Args[2:]))
	}
	if len(os.Args) > 3 && os.Args[1] == serveWord {
		exit(serveChild(os.Args[2], os.Args[3]))
	}
	os.Exit(m.Run())
}

func TestPlan(t *testing.T) {
	tools := []peer.Tool{{Name: "a"}, {Name: "b"}}
	rounds := plan(tools, peer.Phases, 6, 7)
	orders := map[string]bool{}
	for _, round := range rounds {
		seen, order := map[cell]bool{}, ""
		for _, c := range round {
			seen[c] = true
			order += c.tool.Name + string(c.phase) + " "
		}
		if len(round) != 8 || len(seen) != 8 {
			t.Errorf("a round of %d cells has %d different ones", len(round), len(seen))
		}
		orders[order] = true
	}
	if len(orders) < 2 {
		t.Error("all rounds have one order")
	}
	again := plan(tools, peer.Phases, 6, 7)
	for i := range rounds {
		for j := range rounds[i] {
			if rounds[i][j] != again[i][j] {
				t.Fatal("one seed gave two plans")
			}
		}
	}
}

func TestSpread(t *testing.T) {
	for _, tc := range []struct {
		values []float64
		want   spread
	}{
		{[]float64{3}, spread{3, 3, 3}},
		{[]float64{3, 1}, spread{2, 1, 3}},
		{[]float64{9, 1, 2}, spread{2, 1, 9}},
		{[]float64{4, 1, 3, 2}, spread{2.5, 1, 4}},
	} {
		if got := newSpread(tc.values); got != tc.want {
			t.Errorf("%v: %v, want %v", tc.values, got, tc.want)
		}
	}
}

func row(round int, tool string, wall float64, failure string) sample {
	return sample{Round: round, Tool: tool, Phase: peer.P4, usage: usage{WallSec: wall}, Failure: failure}
}

func TestRatiosArePairedByRound(t *testing.T) {
	samples := []sample{
		row(1, "weft", 2, ""), row(1, "bun", 1, ""),
		row(2, "weft", 6, ""), row(2, "bun", 2, ""),
		row(3, "weft", 100, ""), row(3, "bun", 1, "exit code 1"),
	}
	if got, want := ratio(samples, "weft", "bun", peer.P4), "2.500 (2.000-3.000)"; got != want {
		t.Errorf("ratio %s, want %s", got, want)
	}
	if got := ratio(samples, "weft", "npm", peer.P4); got != "-" {
		t.Errorf("ratio to a tool that took no part: %s", got)
	}
	var out strings.Builder
	tools := []peer.Tool{{Name: "weft"}, {Name: "bun"}, {Name: "npm"}}
	if err := report(&out, samples, tools, []peer.Phase{peer.P4}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"6.000 (2.000-100.000)", "2.500 (2.000-3.000)", "failed"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if err := failures(samples); err == nil || !strings.Contains(err.Error(), "1 of 6") {
		t.Errorf("failures: %v", err)
	}
}

func TestRawRowsHaveAllColumns(t *testing.T) {
	var out bytes.Buffer
	raw, err := newRawFile(&out)
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.add(row(1, "weft", 0.25, "exit code 1, see \"log\"\nthere")); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll() // fails on rows of unequal length
	if err != nil || len(rows) != 2 || rows[1][2] != "weft" || rows[1][4] != "0.250000" {
		t.Errorf("rows %q, %v", rows, err)
	}
}

func TestLaunch(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	u, err := launch(exec.Command("/bin/sh", "-c", "head -c 20000000 /dev/zero | sort >/dev/null; exit 3"))
	if err != nil {
		t.Fatal(err)
	}
	if u.Exit != 3 || u.WallSec <= 0 || u.UserSec+u.SysSec <= 0 || u.MinorFaults == 0 {
		t.Errorf("figures %+v", u)
	}
	// The peak is that of the largest process below the launcher, so that of
	// sort, which holds the line it reads.
	if u.MaxRSSKiB < 20000 {
		t.Errorf("peak memory %d KiB", u.MaxRSSKiB)
	}
	ballast := bytes.Repeat([]byte{1}, 200<<20)
	small, err := launch(exec.Command("/bin/true"))
	if err != nil || small.MaxRSSKiB > 64<<10 {
		t.Errorf("a program that does nothing has a peak of %d KiB (%v): this process shows through", small.MaxRSSKiB, err)
	}
	runtime.KeepAlive(ballast)
	t.Logf("peak of a program that does nothing: %d KiB", small.MaxRSSKiB)
	if _, err := launch(exec.Command("/no/such/program")); err == nil {
		t.Error("a missing program was launched")
	}
}

// TestCompare measures a tool of four lines on an empty registry, and one that
// fails.
func TestCompare(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	data, bin, out := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "raw.csv")
	if _, err := archive.Create(data, archive.Info{Origin: "https://reg.example/"}); err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(t.TempDir(), "package.json")
	write := func(path, text string, mode os.FileMode) {
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write(manifest, `{"dependencies": {"leaf": "1"}}`, 0o644)
	write(filepath.Join(bin, "bun"), `#!/bin/sh
case "$*" in
*--version*) echo 0.0.1;;
*--lockfile-only*) echo lock > bun.lock;;
*--frozen-lockfile*) test -f bun.lock && mkdir -p node_modules/leaf && echo {} > node_modules/leaf/package.json;;
*) mkdir -p node_modules/leaf && echo {} > node_modules/leaf/package.json;;
esac
`, 0o755)
	o := options{fixture: manifest, data: data, peers: bin, tools: "bun", phases: "p0,p1,p3,p4", rounds: 2, seed: 1, out: out, scratch: t.TempDir()}
	if err := compare(o); err != nil {
		t.Fatal(err)
	}
	f, err := os.ReadFile(out)
	if err != nil || bytes.Count(f, []byte("\n")) != 1+2*4 {
		t.Errorf("raw figures (%v):\n%s", err, f)
	}
	if left, err := os.ReadDir(o.scratch); err != nil || len(left) != 0 {
		t.Errorf("left in scratch: %v, %v", left, err)
	}
	write(filepath.Join(bin, "bun"), "#!/bin/sh\necho it broke >&2; exit 1\n", 0o755)
	o.phases = "p0"
	if err := compare(o); err == nil || !strings.Contains(err.Error(), "2 of 2 runs failed") {
		t.Errorf("a tool that fails: %v", err)
	}
}
