package fetch

import (
	"context"
	"errors"
	"slices"
	"testing"

	"weft/install/schedule"
	"weft/install/target"
	"weft/internal/regtest"
	"weft/npm/manifest"
	"weft/npm/packument"
	"weft/npm/registry"
	"weft/npm/spec"
	"weft/task"
)

// pick chooses as placement does with its default settings.
func pick(p *packument.Packument, s spec.Spec) (*manifest.Manifest, error) {
	return packument.Pick(p, s, packument.PickOptions{NodeVersion: "20.0.0", DefaultTag: "latest"})
}

// graph publishes a package "app" that depends on something in every way there is.
func graph(reg *regtest.Registry) {
	reg.Add(
		regtest.Package{Name: "app", Version: "1.0.0", Manifest: `{
			"dependencies": {"alias": "npm:real@^1.0.0", "tagged": "next", "@s/scoped": "~1.0.0", "carried": "1", "repo": "github:a/b", "dir": "file:../dir"},
			"optionalDependencies": {"extra": "*", "absent": "1"},
			"peerDependencies": {"host": ">=1", "maybe": "1"},
			"peerDependenciesMeta": {"maybe": {"optional": true}},
			"devDependencies": {"tool": "1"},
			"bundleDependencies": ["carried"]}`},
		regtest.Package{Name: "real", Version: "1.0.0", Manifest: `{"dependencies": {"deep": "1"}}`},
		regtest.Package{Name: "real", Version: "2.0.0", Manifest: `{"dependencies": {"never": "1"}}`},
		regtest.Package{Name: "deep", Version: "1.0.0", Manifest: `{"dependencies": {"app": "^1.0.0"}}`},
		regtest.Package{Name: "tagged", Version: "1.0.0"},
		regtest.Package{Name: "tagged", Version: "2.0.0", Tags: []string{"next"}},
		regtest.Package{Name: "@s/scoped", Version: "1.0.5"},
		regtest.Package{Name: "extra", Version: "1.0.0", Manifest: `{"os": ["win32"], "dependencies": {"only-there": "1"}}`},
		regtest.Package{Name: "only-there", Version: "1.0.0"},
		regtest.Package{Name: "host", Version: "3.0.0"},
		regtest.Package{Name: "slow", Version: "1.0.0"},
	)
	for _, name := range []string{"carried", "maybe", "tool", "never"} {
		reg.Add(regtest.Package{Name: name, Version: "1.0.0"})
	}
}

func ahead(change func(*Ahead)) func(*Options, *registry.Options) {
	return func(o *Options, _ *registry.Options) {
		o.Ahead = &Ahead{Pick: pick, Target: target.Target{NodeVersion: "20.0.0", OS: "linux", CPU: "x64"}, Tarballs: true}
		if change != nil {
			change(o.Ahead)
		}
	}
}

// TestGoesAheadWhileTheFirstIsAwaited: the documents and tarballs of a whole
// graph are there although the document that placement waits for never comes.
func TestGoesAheadWhileTheFirstIsAwaited(t *testing.T) {
	f := setUp(t, ahead(nil))
	graph(f.reg)
	f.reg.Fail("slow", regtest.Fault{Kind: regtest.Hang})
	waiting := task.Go(f.ctx, func(ctx context.Context) (*packument.Packument, error) {
		return f.Packument(ctx, "slow", false)
	})
	f.Want("app", "^1.0.0")

	// A job's submissions reach the scheduler before its end does, so that after
	// these waits everything is submitted that will ever be.
	for _, d := range []manifest.Dep{
		{Name: "app", Spec: "^1.0.0"}, {Name: "real", Spec: "^1.0.0"}, {Name: "deep", Spec: "1"}, {Name: "tagged", Spec: "next"},
		{Name: "@s/scoped", Spec: "~1.0.0"}, {Name: "extra", Spec: "*"}, {Name: "absent", Spec: "1"}, {Name: "host", Spec: ">=1"},
	} {
		if !f.submitted(LanePick, pickKey(t, d.Name, d.Spec).Name) {
			t.Errorf("nobody chose a version for %s", d.Name)
		}
	}
	for _, name := range []string{"app", "real", "deep", "tagged", "@s/scoped", "extra", "absent", "host"} {
		if !f.submitted(LanePackument, name) {
			t.Errorf("the document of %s was not asked for", name)
		}
	}
	for _, name := range []string{"alias", "carried", "maybe", "tool", "never", "only-there", "repo", "dir"} {
		if f.submitted(LanePackument, name) {
			t.Errorf("the document of %s was asked for", name)
		}
	}
	for _, row := range []struct {
		name, version string
		want          bool
	}{
		{"app", "1.0.0", true}, {"real", "1.0.0", true}, {"tagged", "2.0.0", true}, {"host", "3.0.0", true},
		{"real", "2.0.0", false}, {"tagged", "1.0.0", false}, {"extra", "1.0.0", false},
	} {
		if got := f.submitted(LaneTarball, f.ref(row.name, row.version).Key().Name); got != row.want {
			t.Errorf("tarball of %s@%s asked for: %v, want %v", row.name, row.version, got, row.want)
		}
	}
	if _, ended, _ := waiting.TryJoin(); ended {
		t.Error("the document that hangs has come")
	}
	if got := f.Wasted(); got != 6 {
		t.Errorf("Wasted = %d, want the 6 tarballs that nobody needed", got)
	}
	waiting.Cancel()
	if _, err := waiting.Join(context.Background()); !errors.Is(err, context.Canceled) {
		t.Errorf("the wait that was cancelled: %v", err)
	}
}

func TestAheadSettings(t *testing.T) {
	for _, row := range []struct {
		name   string
		change func(*Ahead)
		check  func(t *testing.T, f *fixture)
	}{
		{"legacy peers", func(a *Ahead) { a.LegacyPeers = true }, func(t *testing.T, f *fixture) {
			if f.submitted(LanePackument, "host") {
				t.Error("a peer was asked for")
			}
		}},
		{"no tarballs", func(a *Ahead) { a.Tarballs = false }, func(t *testing.T, f *fixture) {
			if f.submitted(LaneTarball, f.ref("app", "1.0.0").Key().Name) {
				t.Error("a tarball was asked for")
			}
		}},
		{"another platform", func(a *Ahead) { a.Target.OS = "win32" }, func(t *testing.T, f *fixture) {
			f.submitted(LanePick, pickKey(t, "extra", "*").Name)
			if !f.submitted(LanePackument, "only-there") {
				t.Error("what a package of this platform needs was not asked for")
			}
			if !f.submitted(LanePackument, "extra full") {
				t.Error("the full document of a package for some platforms was not asked for")
			}
		}},
		{"full documents", func(a *Ahead) { a.Full = true }, func(t *testing.T, f *fixture) {
			if f.submitted(LanePackument, "app") || !f.submitted(LanePackument, "app full") {
				t.Error("the short form was asked for")
			}
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := setUp(t, ahead(row.change))
			graph(f.reg)
			f.Want("app", "^1.0.0")
			f.submitted(LanePick, pickKey(t, "app", "^1.0.0").Name)
			row.check(t, f)
		})
	}
}

// TestWantOfWhatNoRegistryHas: nothing is asked, and placement will say why.
func TestWantOfWhatNoRegistryHas(t *testing.T) {
	f := setUp(t, ahead(nil))
	for _, raw := range []string{"github:a/b", "git+ssh://host/x.git", "file:../x", "http://127.0.0.1:1/x.tgz", "npm:", "\x00", "npm:@/x@1"} {
		f.Want("x", raw)
	}
	f.submitted(LanePackument, "x") // the scheduler has seen all messages after that
	if got := f.reg.Requests(); len(got) != 0 {
		t.Errorf("asked for %v", got)
	}
	none := setUp(t, nil)
	none.Want("x", "1")
	if none.submitted(LanePackument, "x") {
		t.Error("a Fetcher that does not go ahead went ahead")
	}
}

// TestAPanicWhileChoosing is an error of that choice alone.
func TestAPanicWhileChoosing(t *testing.T) {
	f := setUp(t, ahead(func(a *Ahead) {
		a.Pick = func(p *packument.Packument, s spec.Spec) (*manifest.Manifest, error) {
			if s.Name == "real" {
				panic("no idea")
			}
			return pick(p, s)
		}
	}))
	graph(f.reg)
	f.Want("app", "1")
	f.Want("real", "1")
	_, err := wait[any](f.ctx, f.sched, pickKey(t, "real", "1"))
	if p := (*task.PanicError)(nil); !errors.As(err, &p) || p.Value != "no idea" {
		t.Errorf("choosing real: %v", err)
	}
	if _, err := f.Packument(f.ctx, "real", false); err != nil {
		t.Errorf("its document: %v", err)
	}
	if _, err := f.Package(f.ctx, f.ref("app", "1.0.0")); err != nil {
		t.Errorf("another package: %v", err)
	}
}

// TestForgetPackuments: what was forgotten is asked again.
func TestForgetPackuments(t *testing.T) {
	f := setUp(t, nil)
	f.reg.Add(regtest.Package{Name: "a", Version: "1.0.0"}, regtest.Package{Name: "a", Version: "1.1.0"})
	p, err := f.Packument(f.ctx, "a", false)
	if err != nil || !slices.Equal(p.Versions(), []string{"1.0.0", "1.1.0"}) {
		t.Fatalf("%v, %v", p, err)
	}
	again, err := f.Packument(f.ctx, "a", false)
	if err != nil || again != p {
		t.Errorf("the second answer is another one: %v", err)
	}
	f.ForgetPackuments()
	if f.submitted(LanePackument, "a") {
		t.Error("the document is still held")
	}
	if _, err := f.Packument(f.ctx, "a", false); err != nil {
		t.Error(err)
	}
}

// pickKey is the key of the job that chooses a version.
func pickKey(t *testing.T, name, raw string) schedule.Key {
	t.Helper()
	s, err := spec.Resolve(name, raw, "")
	if err != nil {
		t.Fatal(err)
	}
	return schedule.Key{Lane: LanePick, Name: s.Name + "@" + s.FetchSpec}
}
