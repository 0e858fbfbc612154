//go:build linux || darwin

package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

func start(t *testing.T, dir string, first int) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := exec.Command(os.Args[0], strconv.Itoa(first))
	cmd.Env = append(os.Environ(), childVariable+"="+dir)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, &out
}

// checkStore wants every package whole or absent, and returns how many are there.
func checkStore(t *testing.T, dir string) (found int) {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for n := range childPackages {
		switch err := s.Verify(testKey(strconv.Itoa(n))); {
		case err == nil:
			found++
		case !errors.Is(err, ErrAbsent):
			t.Errorf("package %d: %v", n, err)
		}
	}
	return found
}

// TestKilled kills a process at random moments and looks at what it left; the next one finishes the work.
func TestKilled(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	dir := filepath.Join(t.TempDir(), "store")
	for range 25 {
		cmd, _ := start(t, dir, rng.IntN(childPackages))
		// The moment is what is random here; nothing waits for it.
		time.Sleep(time.Duration(rng.IntN(40_000)) * time.Microsecond)
		if err := cmd.Process.Signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if found := checkStore(t, dir); found == childPackages {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd, out := start(t, dir, 0)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if found := checkStore(t, dir); found != childPackages {
		t.Errorf("%d packages", found)
	}
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Clean(0); err != nil {
		t.Error(err)
	}
	if left, _ := s.tmp.List(); len(left) != 0 {
		t.Errorf("left in tmp: %v", left)
	}
}

// TestTwoProcesses has four processes put the same packages at the same time.
func TestTwoProcesses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	type process struct {
		*exec.Cmd
		out *bytes.Buffer
	}
	var all []process
	for first := range 4 {
		cmd, out := start(t, dir, first)
		all = append(all, process{cmd, out})
	}
	for _, p := range all {
		if err := p.Wait(); err != nil {
			t.Errorf("%v: %s", err, p.out)
		}
	}
	if found := checkStore(t, dir); found != childPackages {
		t.Errorf("%d packages", found)
	}
	left, err := os.ReadDir(filepath.Join(dir, layout, tmpFolder))
	if err != nil || len(left) != 0 {
		t.Errorf("left in tmp: %v, error %v", left, err)
	}
}

// TestUmask puts packages under a strict umask: the modes must not depend on who was first to install a package.
func TestUmask(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	cmd := exec.Command("/bin/sh", "-c", `umask 077; exec "$0" 0`, os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if found := checkStore(t, dir); found != childPackages {
		t.Errorf("%d packages", found)
	}
}
