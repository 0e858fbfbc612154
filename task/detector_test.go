//go:build !js && !wasip1

package task

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// buildRace builds a program of testdata with the race detector.
func buildRace(t *testing.T, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program with -race")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	if out, err := exec.Command(goTool, "env", "CGO_ENABLED").Output(); err != nil || strings.TrimSpace(string(out)) != "1" {
		t.Skip("the race detector needs cgo here")
	}
	exe := filepath.Join(t.TempDir(), name)
	if out, err := exec.Command(goTool, "build", "-race", "-o", exe, "./testdata/"+name).CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("-race")) { // "-race is not supported on ..."
			t.Skipf("no race detector: %s", out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}

func runRace(t *testing.T, exe string, args ...string) (reports int, out []byte, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	out, err = cmd.CombinedOutput()
	return bytes.Count(out, []byte("WARNING: DATA RACE")), out, err
}

// TestRacesAreReported runs programs whose tasks race. Most of them never run two
// tasks at once: what the tasks do is not ordered all the same.
func TestRacesAreReported(t *testing.T) {
	exe := buildRace(t, "racy")
	_, names, err := runRace(t, exe)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(names)) {
		for _, p := range []int{1, 4} {
			if n, out, err := runRace(t, exe, name, strconv.Itoa(p)); n == 0 {
				t.Errorf("%s with %d permits: no report (%v)\n%s", name, p, err, out)
			}
		}
	}
}

// TestNoRaceIsInvented runs tasks that hand data on by every means there is.
func TestNoRaceIsInvented(t *testing.T) {
	if n, out, err := runRace(t, buildRace(t, "ordered"), "40"); n > 0 || err != nil {
		t.Errorf("%d reports, %v\n%s", n, err, out[:min(len(out), 20000)])
	}
}
