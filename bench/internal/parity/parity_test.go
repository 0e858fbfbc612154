package parity

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"weft/bench/internal/difference"
	"weft/bench/internal/peer"
	"weft/bench/internal/universe"
	"weft/internal/regtest"
)

var (
	weftFlag    = flag.String("weft", "", "weft's program; built from cmd/weft when empty")
	fixtureFlag = flag.String("fixtures", "S,M", "fixtures to compare on, of S, M and L")
	worldsFlag  = flag.Int("worlds", 12, "random worlds to compare on")
	seedFlag    = flag.Uint64("seed", 1, "seed of the first random world")
	shapeFlag   = flag.Int("names", 0, "packages in a random world; 0 is the generator's default")
)

// weft builds the program under test once.
func weft(t *testing.T) peer.Tool {
	t.Helper()
	path := *weftFlag
	if path == "" {
		path = filepath.Join(t.TempDir(), "weft")
		build := exec.Command("go", "build", "-o", path, "weft/cmd/weft")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build weft: %v\n%s", err, out)
		}
	}
	tool, err := peer.Find("weft", path, "")
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func npm(t *testing.T) peer.Tool {
	t.Helper()
	tool, err := peer.Find("npm", "", "")
	if err != nil {
		t.Skip("npm is not on this machine")
	}
	return tool
}

// explained are the differences that docs/compatibility.md accounts for, by
// fixture: weft links the programs of directories.bin in a first install, npm
// does not.
var explained = map[string][]difference.Difference{
	"L": {
		{Kind: "link extra", Where: "node_modules/.bin/sshpk-conv", Got: "link"},
		{Kind: "link extra", Where: "node_modules/.bin/sshpk-sign", Got: "link"},
		{Kind: "link extra", Where: "node_modules/.bin/sshpk-verify", Got: "link"},
	},
}

// expectNone fails the test with what sets the results apart.
func expectNone(t *testing.T, report *Report) {
	t.Helper()
	if len(report.Differences) == 0 {
		return
	}
	var text strings.Builder
	difference.Print(&text, report.Differences, 5)
	t.Errorf("%d differences from npm:\n%s", len(report.Differences), &text)
}

func small(t *testing.T) *regtest.Registry {
	reg := regtest.New(t)
	reg.Add(
		regtest.Package{Name: "leaf", Version: "1.0.0", Manifest: `{"license": "MIT", "bin": "cli.js"}`,
			Files: map[string]string{"cli.js": "#!/usr/bin/env node\n"}},
		regtest.Package{Name: "leaf", Version: "2.0.0"},
		regtest.Package{Name: "@s/app", Version: "1.0.0", Manifest: `{"dependencies": {"leaf": "^1.0.0"}}`},
	)
	return reg
}

const smallProject = `{"name": "p", "version": "1.0.0", "dependencies": {"leaf": "^2.0.0", "@s/app": "1"}}`

// TestNPMEqualsItself holds the check to finding nothing where nothing is.
func TestNPMEqualsItself(t *testing.T) {
	tool := npm(t)
	report, err := Check(Options{
		Manifest: []byte(smallProject), Registry: small(t).URL(),
		NPM: tool, Subject: tool, Scratch: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	expectNone(t, report)
	if report.Packages != 3 || report.Loaded != 2 {
		t.Errorf("%d packages, %d loaded; want 3 and 2", report.Packages, report.Loaded)
	}
}

// TestWrongSubjectsAreReported runs npm behind a script that spoils what it
// made, and looks for the kinds of difference that must come of it.
func TestWrongSubjectsAreReported(t *testing.T) {
	tool := npm(t)
	reg := small(t)
	for _, tc := range []struct {
		name, spoil string
		want        []string
	}{
		{"content", "echo x >> node_modules/leaf/index.js", []string{"file content"}},
		{"mode", "chmod 700 node_modules/leaf/index.js", []string{"file mode"}},
		{"missing file", "rm node_modules/leaf/index.js", []string{"file missing", "loads differently"}},
		{"missing package", "rm -r node_modules/leaf", []string{"package missing", "dir missing", "npm ls fails", "loads differently"}},
		{"extra package", "cp -r node_modules/leaf node_modules/more", []string{"package extra", "dir extra"}},
		{"version", `sed -i 's/"2.0.0"/"2.0.1"/' node_modules/leaf/package.json`, []string{"package version", "file content"}},
		{"bin", "rm node_modules/@s/app/node_modules/.bin/leaf", []string{"link missing"}},
		{"lockfile order", `sed -i '/"version": "1.0.0",/d; s/"name": "p",/"version": "1.0.0",\n  "name": "p",/' package-lock.json`, nil},
		{"lockfile field", `sed -i '/"license"/d' package-lock.json`, []string{"lockfile license missing"}},
		{"failure", "exit 9", []string{"install failed"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			script := filepath.Join(t.TempDir(), "npm")
			text := fmt.Sprintf("#!/bin/sh\n%s \"$@\" || exit\ncase \"$*\" in ls*|ci*) exit;; esac\n%s\n", tool.Path, tc.spoil)
			if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
			report, err := Check(Options{
				Manifest: []byte(smallProject), Registry: reg.URL(),
				NPM: tool, Subject: peer.Tool{Name: "npm", Path: script}, Scratch: t.TempDir(),
			})
			if err != nil {
				t.Fatal(err)
			}
			counts := difference.Count(report.Differences)
			if len(counts) == 0 {
				t.Error("nothing was reported")
			}
			for _, kind := range tc.want {
				if counts[kind] == 0 {
					t.Errorf("no %q among %v", kind, counts)
				}
			}
		})
	}
}

// TestFixtures is the real-input check without the network: weft and npm
// install a fixture from its stored universe and must agree.
func TestFixtures(t *testing.T) {
	tool, subject := npm(t), weft(t)
	for _, name := range strings.Split(*fixtureFlag, ",") {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "S" {
				t.Skip("takes long")
			}
			folder := filepath.Join("..", "..", "fixtures", name)
			manifest, err := os.ReadFile(filepath.Join(folder, "package.json"))
			if err != nil {
				t.Fatal(err)
			}
			list, err := universe.Load(filepath.Join(folder, "universe.json.zst"))
			if err != nil {
				t.Fatal(err)
			}
			reg := regtest.New(t)
			universe.Publish(reg, list)
			report, err := Check(Options{
				Manifest: manifest, Registry: reg.URL(), NPM: tool, Subject: subject,
				Scratch: t.TempDir(), Progress: func(step string) { t.Log(step) },
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("npm installed %d packages; %d direct dependencies load", report.Packages, report.Loaded)
			for _, known := range explained[name] {
				at := slices.Index(report.Differences, known)
				if at < 0 {
					t.Errorf("explained, but no difference any more: %s %v", known.Kind, known)
					continue
				}
				report.Differences = slices.Delete(report.Differences, at, at+1)
			}
			expectNone(t, report)
		})
	}
}

// TestWorlds compares weft with npm on random worlds, failures included.
func TestWorlds(t *testing.T) {
	tool, subject := npm(t), weft(t)
	for i := range *worldsFlag {
		seed := *seedFlag + uint64(i)
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			world := regtest.Generate(seed, regtest.Shape{Names: *shapeFlag})
			reg := regtest.New(t)
			world.AddTo(reg)
			report, err := Check(Options{
				Manifest: world.Project, Registry: reg.URL(), NPM: tool, Subject: subject,
				Scratch: t.TempDir(), SkipLoad: true, SkipJudge: true, MayFail: true, Limit: time.Minute,
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("npm failed: %v; hung: %v; %d packages", report.Failed, report.Hung, report.Packages)
			expectNone(t, report)
			if t.Failed() {
				t.Logf("package.json:\n%s", world.Project)
			}
		})
	}
}
