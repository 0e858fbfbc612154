package install

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"weft/install/report"
	"weft/internal/regtest"
)

// testSeed is WEFT_SEED, or a fixed number. It is logged where it matters.
func testSeed(t *testing.T) uint64 {
	t.Helper()
	seed, err := strconv.ParseUint(os.Getenv("WEFT_SEED"), 10, 64)
	if err != nil {
		seed = 1
	}
	t.Logf("WEFT_SEED=%d", seed)
	return seed
}

// testRounds is WEFT_ROUNDS, or n.
func testRounds(n int) int {
	if more, err := strconv.Atoi(os.Getenv("WEFT_ROUNDS")); err == nil {
		return more
	}
	return n
}

// tower is a universe deep and wide enough that an install of it can be cut in
// many places, in two versions.
func tower() []regtest.Package {
	var list []regtest.Package
	for _, major := range []string{"1", "2"} {
		for i := range 12 {
			name := "p" + strconv.Itoa(i)
			if i%4 == 1 {
				name = "@s/" + name
			}
			manifest := `{"bin": "index.js", "dependencies": {"common": "` + strconv.Itoa(1+i%3) + `"}}`
			list = append(list, regtest.Package{Name: name, Version: major + ".0.0", Manifest: manifest, Files: map[string]string{"lib/a.js": major, "lib/b.js": name}})
		}
	}
	for _, version := range []string{"1.0.0", "2.0.0", "3.0.0"} {
		list = append(list, regtest.Package{Name: "common", Version: version, Manifest: `{"bin": {"common-` + version + `": "index.js"}}`})
	}
	return list
}

// towerProject asks for the packages of the tower in one version.
func towerProject(major string) string {
	var deps []string
	for i := range 12 {
		name := "p" + strconv.Itoa(i)
		if i%4 == 1 {
			name = "@s/" + name
		}
		deps = append(deps, `"`+name+`": "`+major+`"`)
	}
	return `{"name": "tower", "version": "1.0.0", "dependencies": {` + strings.Join(deps, ", ") + `}}`
}

func towerSite(t *testing.T) *site {
	t.Helper()
	reg := regtest.New(t)
	reg.Add(tower()...)
	return siteAt(t, reg, towerProject("1"))
}

// cancelled checks what must hold after a run under a context that was cancelled
// at some point: it may have come too late, but no package is half there.
func (s *site) cancelled(err error) {
	s.Helper()
	if err != nil && !errors.Is(err, context.Canceled) {
		s.Errorf("error %v", err)
	}
	if err != nil && report.Diagnose(err).Exit != report.ExitInterrupted {
		s.Errorf("%v has exit status %d", err, report.Diagnose(err).Exit)
	}
	s.whole()
}

// TestCancelAtRequests cancels when the registry has been asked n times, for many
// n, from nothing and over a tree of other versions, and then lets it finish.
func TestCancelAtRequests(t *testing.T) {
	rng := rand.New(rand.NewPCG(testSeed(t), 2))
	whole := towerSite(t)
	whole.run()
	total := len(whole.reg.Requests())
	for range testRounds(8) {
		n := 1 + rng.IntN(total)
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			s := towerSite(t)
			cut := func() {
				t.Helper()
				s.reg.Reset()
				ctx, cancel := context.WithCancel(context.Background())
				var wg sync.WaitGroup
				wg.Go(func() {
					_ = s.reg.Await(ctx, n) // its error is that the run came first
					cancel()
				})
				_, err := Run(ctx, s.options())
				cancel()
				wg.Wait()
				s.cancelled(err)
			}
			cut()
			s.run()
			s.settled()
			s.write("package.json", towerProject("2"))
			cut()
			s.run()
			s.settled()
		})
	}
}

// TestCancelWhilePlacing cancels at a random point of an install whose packages
// are all in the store, so that it hits placing, removing, linking and writing.
// Time only chooses the point: whatever it is, the same must hold.
func TestCancelWhilePlacing(t *testing.T) {
	rng := rand.New(rand.NewPCG(testSeed(t), 3))
	s := towerSite(t)
	s.run()
	s.write("package.json", towerProject("2"))
	s.run()
	began := time.Now()
	s.write("package.json", towerProject("1"))
	s.run()
	length := time.Since(began)
	for i := range testRounds(30) {
		s.write("package.json", towerProject(strconv.Itoa(1+i%2)))
		change := []func(*Options){}
		if i%5 == 4 {
			s.run() // ci needs a lockfile that agrees
			change = append(change, ci)
		}
		ctx, cancel := context.WithCancel(context.Background())
		alarm := time.AfterFunc(time.Duration(rng.Int64N(int64(length))), cancel)
		_, err := Run(ctx, s.options(change...))
		alarm.Stop()
		cancel()
		s.cancelled(err)
		if i%3 == 0 {
			s.run()
			s.settled()
		}
	}
	s.run()
	s.settled()
}

// TestCancelledBeforeItBegan does nothing at all.
func TestCancelledBeforeItBegan(t *testing.T) {
	s := towerSite(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, s.options()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	s.has("!node_modules", "!package-lock.json")
	if n := len(s.reg.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// TestCancelAHangingRegistry ends although nothing ever answers.
func TestCancelAHangingRegistry(t *testing.T) {
	for _, on := range []regtest.Target{regtest.Packuments, regtest.Tarballs} {
		s := towerSite(t)
		s.reg.Fail("", regtest.Fault{Kind: regtest.Hang, On: on})
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() {
			defer cancel()
			if err := s.reg.Await(t.Context(), 3); err != nil {
				t.Error(err)
			}
		})
		_, err := Run(ctx, s.options(flag("fetch-timeout", "100000000")))
		wg.Wait()
		if err == nil {
			t.Error("no error")
		}
		s.cancelled(err)
		s.has("!package-lock.json")
	}
}

// TestAtOnce: installs of one project go one after the other, and all but the
// first have nothing to do; those of several projects share one store.
func TestAtOnce(t *testing.T) {
	together := func(t *testing.T, sites ...*site) []*report.Summary {
		t.Helper()
		sums := make([]*report.Summary, len(sites))
		var wg sync.WaitGroup
		for i, s := range sites {
			wg.Go(func() {
				var err error
				if sums[i], err = Run(context.Background(), s.options()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		return sums
	}
	t.Run("one project", func(t *testing.T) {
		s := towerSite(t)
		fresh := 0
		for _, sum := range together(t, s, s, s) {
			if sum != nil && !sum.UpToDate {
				fresh++
			}
		}
		if fresh != 1 {
			t.Errorf("%d of 3 installed", fresh)
		}
		for path, n := range requestsByPath(s.reg) {
			if n != 1 {
				t.Errorf("%s was asked for %d times", path, n)
			}
		}
		s.settled()
	})
	t.Run("one project under other settings", func(t *testing.T) {
		s := newSite(t, basicProject, basics)
		var wg sync.WaitGroup
		for _, change := range []func(*Options){flag("omit", "dev"), flag("omit", ""), ci} {
			wg.Go(func() {
				if _, err := Run(context.Background(), s.options(change)); err != nil && !strings.Contains(report.Diagnose(err).Code, report.CodeNoLockfile) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		s.whole()
		s.run()
		s.settled()
	})
	t.Run("many projects", func(t *testing.T) {
		s := towerSite(t)
		all := []*site{s, s.sibling(towerProject("1")), s.sibling(towerProject("2"))}
		together(t, all...)
		for _, s := range all {
			s.settled()
		}
	})
}

func requestsByPath(reg *regtest.Registry) map[string]int {
	n := map[string]int{}
	for _, q := range reg.Requests() {
		n[q.Path]++
	}
	return n
}
