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

	"weft/internal/jsonval"
	"weft/install/target"
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

func TestDump(t *testing.T) {
	for _, f := range strings.Fields(os.Getenv("WEFT_DUMP")) {
		dir := filepath.Join("/work/resolve-lab/npm", f)
		data, _ := os.ReadFile(filepath.Join(dir, "package.json"))
		m, err := manifest.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		src := &dirSource{dir: "/work/resolve-lab/pk", have: map[string]*packument.Packument{}}
		var r *Result
		for i := 0; i < 3; i++ {
			start := time.Now()
			src.took = 0
			r, err = Ideal(context.Background(), Options{Dir: dir, Manifest: m, Target: node20, Source: src})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %d nodes, %v and %v reading", f, r.Tree.Len(), time.Since(start)-src.took, src.took)
		}
		lock, _ := os.ReadFile(filepath.Join(dir, "package-lock.json"))
		v, err := jsonval.Parse(lock)
		if err != nil {
			t.Fatal(err)
		}
		pk, _ := v.Get("packages")
		want := map[string]string{}
		for _, mm := range pk.Members() {
			get := func(k string) string {
				x, ok := mm.Value.Get(k)
				if !ok {
					return ""
				}
				if s, ok := x.Str(); ok {
					return s
				}
				return k
			}
			want[mm.Key] = fmt.Sprint(get("version"), get("integrity"), get("dev"), get("optional"), get("devOptional"), get("peer"), get("extraneous"))
		}
		bad := 0
		say := func(f string, a ...any) {
			if bad++; bad < 20 {
				t.Errorf(f, a...)
			}
		}
		for _, n := range r.Tree.Nodes() {
			flag := func(b bool, s string) string {
				if b {
					return s
				}
				return ""
			}
			if n.IsRoot() {
				delete(want, "")
				continue
			}
			got := fmt.Sprint(n.Version(), n.Integrity, flag(n.Dev, "dev"), flag(n.Optional, "optional"), flag(n.DevOptional, "devOptional"), flag(n.Peer, "peer"), flag(n.Extraneous, "extraneous"))
			w, ok := want[n.Location()]
			if !ok {
				say("extra %s %s", n.Location(), got)
			} else if w != got {
				say("%s: got %s want %s", n.Location(), got, w)
			}
			delete(want, n.Location())
		}
		for k, w := range want {
			say("missing %s %s", k, w)
		}
	}
}
