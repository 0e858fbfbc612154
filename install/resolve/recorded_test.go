package resolve

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"weft/install/target"
	"weft/npm/lockfile"
	"weft/npm/manifest"
	"weft/npm/packument"
)

// dirSource answers from a folder of packuments, one file a package, named by
// the package with %2f for the slash.
type dirSource struct {
	dir  string
	mu   sync.Mutex
	have map[string]*packument.Packument
	took time.Duration
}

func (s *dirSource) Packument(ctx context.Context, name string, full bool) (*packument.Packument, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.have[name]; p != nil {
		return p, nil
	}
	start := time.Now()
	defer func() { s.took += time.Since(start) }()
	data, err := os.ReadFile(filepath.Join(s.dir, strings.ReplaceAll(name, "/", "%2f")+".json"))
	if os.IsNotExist(err) {
		return nil, fmt.Errorf("%s: %w", name, ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	p, err := packument.Parse(data)
	if err == nil {
		s.have[name] = p
	}
	return p, err
}

func (s *dirSource) Unpacked(ctx context.Context, name, resolved, integrity string) (Unpacked, error) {
	return Unpacked{}, fmt.Errorf("unpack %s: %w", name, ErrNotFound)
}

var node20 = target.Target{NodeVersion: "20.20.2", OS: "linux", CPU: "x64", Libc: "glibc"}

// TestRecorded resolves the projects in WEFT_RECORDED (folders with a
// package.json and the package-lock.json that npm made of it, and before.json if
// there was a lockfile before) from the packuments in WEFT_PACKUMENTS, and wants
// the same lockfiles, byte for byte.
func TestRecorded(t *testing.T) {
	if os.Getenv("WEFT_RECORDED") == "" {
		t.Skip("no recorded projects given")
	}
	src := &dirSource{dir: os.Getenv("WEFT_PACKUMENTS"), have: map[string]*packument.Packument{}}
	for _, dir := range strings.Fields(os.Getenv("WEFT_RECORDED")) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, "package.json"))
			if err != nil {
				t.Fatal(err)
			}
			m, err := manifest.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second time from memory
				start := time.Now()
				src.took = 0
				o := Options{Dir: dir, Manifest: m, Target: node20, Source: src, FullMetadata: true}
				if before, err := os.ReadFile(filepath.Join(dir, "before.json")); err == nil {
					if o.Lock, err = lockfile.Parse(before); err != nil {
						t.Fatal(err)
					}
				}
				r, err := Ideal(context.Background(), o)
				if err != nil {
					t.Fatalf("%s: %v", code(err), err)
				}
				t.Logf("%d nodes, %v, and %v reading", r.Tree.Len(), time.Since(start)-src.took, src.took)
				got := r.Tree.Lockfile(LockOptions{}).Marshal(lockfile.DetectFormat(data))
				sameText(t, got, want)
			}
		})
	}
}

// sameText reports the first lines in which two texts differ.
func sameText(t *testing.T, got, want []byte) {
	t.Helper()
	if string(got) == string(want) {
		return
	}
	g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := 0; i < len(g) || i < len(w); i++ {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			from, to := max(0, i-8), i+8
			t.Errorf("line %d differs; got\n%s\nwant\n%s", i+1,
				strings.Join(g[min(from, len(g)):min(to, len(g))], "\n"), strings.Join(w[min(from, len(w)):min(to, len(w))], "\n"))
			return
		}
	}
}
