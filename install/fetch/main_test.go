package fetch

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"weft/install/schedule"
	"weft/install/store"
	"weft/internal/regtest"
	"weft/npm/npmrc"
	"weft/npm/packument"
	"weft/npm/registry"
	"weft/task"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a Fetcher with all that it stands on: a runtime, a scheduler, a
// registry on loopback and an empty store.
type fixture struct {
	*Fetcher
	t     *testing.T
	ctx   context.Context
	reg   *regtest.Registry
	sched *schedule.Scheduler
	store *store.Store
}

// setUp makes a fixture; change, where given, alters the Fetcher's options and
// the client's before they are used.
func setUp(t *testing.T, change func(*Options, *registry.Options)) *fixture {
	t.Helper()
	return setUpAt(t, regtest.New(t), t.TempDir(), change)
}

// setUpAt is setUp with a registry and a store that may be shared.
func setUpAt(t *testing.T, reg *regtest.Registry, storeDir string, change func(*Options, *registry.Options)) *fixture {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	rt, err := task.Start(task.Config{Name: "fetch-test"})
	must(err)
	ctx, cancel := context.WithCancel(rt.Enter(context.Background()))
	f := &fixture{t: t, reg: reg, ctx: ctx}
	config, err := npmrc.Load(npmrc.Options{Dir: t.TempDir(), Env: []string{
		"HOME=" + t.TempDir(), "npm_config_registry=" + f.reg.URL(), "npm_config_globalconfig=/nonexistent/npmrc",
		"npm_config_fetch_retries=1", "npm_config_fetch_retry_mintimeout=1", "npm_config_fetch_retry_maxtimeout=2",
	}})
	must(err)
	f.store, err = store.Open(storeDir)
	must(err)
	f.sched, err = schedule.Start(f.ctx, schedule.Config{Lanes: Lanes(8)})
	must(err)
	o, ro := Options{Scheduler: f.sched, Store: f.store}, registry.Options{Config: config}
	if change != nil {
		change(&o, &ro)
	}
	o.Registry, err = registry.New(ro)
	must(err)
	f.Fetcher = New(o)
	t.Cleanup(func() {
		f.sched.Close()
		cancel()
		must(o.Registry.Close())
		must(f.store.Close())
		end, stop := context.WithTimeout(context.Background(), time.Minute)
		defer stop()
		must(rt.Shutdown(end))
	})
	return f
}

// ref names a published version as a lockfile would.
func (f *fixture) ref(name, version string) Ref {
	f.t.Helper()
	text, err := f.reg.Packument(name, true)
	if err != nil {
		f.t.Fatal(err)
	}
	p, err := packument.Parse(text)
	if err != nil {
		f.t.Fatal(err)
	}
	m, err := p.Manifest(version)
	if err != nil {
		f.t.Fatal(err)
	}
	return RefOf(m)
}

// asked counts the requests by path.
func (f *fixture) asked() map[string]int {
	n := map[string]int{}
	for _, q := range f.reg.Requests() {
		n[q.Path]++
	}
	return n
}

// submitted reports whether a job of that name was ever submitted. It waits for
// the job.
func (f *fixture) submitted(lane schedule.Lane, name string) bool {
	f.t.Helper()
	_, err := f.sched.Wait(f.ctx, schedule.Key{Lane: lane, Name: name})
	return err == nil || !strings.Contains(err.Error(), schedule.ErrUnknown.Error())
}
