package resolve

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"weft/npm/lockfile"
)

var update = flag.Bool("update", false, "ask the npm that is installed for the results in testdata")

// Files of a case that are not part of its folder.
const (
	packagesFile = "packages"
	lockWanted   = "npm.lock"
	codeWanted   = "npm.code"
)

// readCase unpacks a case into dir and returns its registry. Its "packages" file
// has a line for each version: name@version and the rest of the manifest. The
// last version is the latest.
func readCase(t *testing.T, a *txtar.Archive, dir string) map[string]json.RawMessage {
	t.Helper()
	reg := map[string]json.RawMessage{}
	for _, f := range a.Files {
		switch f.Name {
		case packagesFile:
			reg = readPackages(t, string(f.Data))
		case lockWanted, codeWanted:
		default:
			name := filepath.Join(dir, filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	text, err := json.Marshal(reg)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "registry.json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	return reg
}

func readPackages(t *testing.T, text string) map[string]json.RawMessage {
	t.Helper()
	versions := map[string]object{}
	for line := range strings.Lines(text) {
		id, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
		at := strings.LastIndex(id, "@")
		if !ok || at < 1 {
			t.Fatalf("bad line %q", line)
		}
		name, version := id[:at], id[at+1:]
		dist, _ := json.Marshal(object{
			{"tarball", "https://tarballs.test/" + name + "-" + version + ".tgz"},
			{"integrity", "sha512-" + fakeDigest(id)},
		})
		head, _ := json.Marshal(object{{"name", name}, {"version", version}, {"dist", json.RawMessage(dist)}})
		manifest := string(head)
		if rest != "{}" {
			manifest = strings.TrimSuffix(manifest, "}") + "," + strings.TrimPrefix(rest, "{")
		}
		versions[name] = append(versions[name], member{version, json.RawMessage(manifest)})
	}
	reg := map[string]json.RawMessage{}
	for name, list := range versions {
		doc, err := json.Marshal(object{
			{"name", name}, {"dist-tags", object{{"latest", list[len(list)-1].key}}}, {"versions", list},
		})
		if err != nil {
			t.Fatal(err)
		}
		reg[name] = doc
	}
	return reg
}

// settings reads the settings of a case, in npm's spelling, into options.
func settings(t *testing.T, dir string) func(*Options) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "settings.json"))
	if err != nil {
		return nil
	}
	var s struct{ LegacyPeerDeps, Force, StrictPeerDeps, PreferDedupe, InstallLinks bool }
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return func(o *Options) {
		o.LegacyPeerDeps, o.Force, o.StrictPeerDeps = s.LegacyPeerDeps, s.Force, s.StrictPeerDeps
		o.PreferDedupe, o.InstallLinks = s.PreferDedupe, s.InstallLinks
	}
}

// TestCases resolves the projects in testdata/cases and wants the lockfiles that
// npm made of them. With -update npm makes them anew.
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no cases", err)
	}
	archives, dirs, regs := map[string]*txtar.Archive{}, map[string]string{}, map[string]map[string]json.RawMessage{}
	top := t.TempDir()
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		archives[name] = a
		dirs[name] = filepath.Join(top, strings.TrimSuffix(filepath.Base(name), ".txtar"))
		regs[name] = readCase(t, a, dirs[name])
	}
	got := map[string]outcome{}
	for _, name := range names {
		got[name] = ours(dirs[name], regs[name], settings(t, dirs[name]))
	}
	if *update {
		updateCases(t, names, archives, dirs)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			var want outcome
			for _, f := range archives[name].Files {
				switch f.Name {
				case lockWanted:
					want.Lock = string(f.Data)
				case codeWanted:
					want.Code = strings.TrimSpace(string(f.Data))
				}
			}
			if got[name].Code != want.Code {
				t.Fatalf("code %q, npm's is %q", got[name].Code, want.Code)
			}
			sameText(t, []byte(got[name].Lock), []byte(want.Lock))
		})
	}
}

func updateCases(t *testing.T, names []string, archives map[string]*txtar.Archive, dirs map[string]string) {
	t.Helper()
	var list []string
	for _, name := range names {
		list = append(list, dirs[name])
	}
	for i, o := range askNpm(t, list) {
		a := archives[names[i]]
		a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return f.Name == lockWanted || f.Name == codeWanted })
		if o.Code != "" {
			a.Files = append(a.Files, txtar.File{Name: codeWanted, Data: []byte(o.Code + "\n")})
		} else {
			a.Files = append(a.Files, txtar.File{Name: lockWanted, Data: []byte(o.Lock)})
		}
		if err := os.WriteFile(names[i], txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// formatOf is the layout in which graphs and cases are written.
func formatOf() lockfile.Format { return lockfile.Format{Indent: "  "} }

func mustLock(t *testing.T, text string) *lockfile.File {
	t.Helper()
	f, err := lockfile.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}
