package npmrc

import (
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"weft/internal/jsonval"
)

func project(t *testing.T, content string, env ...string) *Config {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".npmrc"), content)
	write(t, filepath.Join(dir, "package.json"), "{}")
	c, err := Load(Options{Dir: dir, Home: filepath.Join(dir, "home"), GlobalPrefix: filepath.Join(dir, "global"), Env: env})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTokenOfUnsetVariableIsNotSent(t *testing.T) {
	c := project(t, "//h/:_authToken=${WEFT_UNSET}\n//h/:username=u\n//h/:_password=cA==\n//i/:_authToken=\"a\\r\\nX: y\"\nregistry=https://h/\n")
	if got := c.Auth("https://h/x", ""); got.Header != "Basic dTpw" {
		t.Errorf("header %q", got.Header)
	}
	if header, ok := c.AuthFor("https://i/x"); ok {
		t.Errorf("a line break went into a header: %q", header)
	}
	if c.Registry() != "https://h/" {
		t.Errorf("registry %q", c.Registry())
	}
	var found bool
	for _, w := range c.Warnings() {
		found = found || strings.Contains(w.String(), ":1: //h/:_authToken uses ${WEFT_UNSET}, which is not set")
	}
	if !found {
		t.Errorf("warnings: %v", c.Warnings())
	}
}

func TestExplainHidesSecrets(t *testing.T) {
	c := project(t, "tag=next\n//h/:_authToken=sesame\n_auth=sesame\nproxy=http://u:sesame@h/\n//h/:_password=sesame\n//h/:other=sesame\n", "npm_config_tag=beta")
	got := c.Explain("tag")
	if len(got) != 3 || got[0].Layer != Env || got[0].Value != `"beta"` || got[1].Layer != Project || got[1].Line != 1 || got[2].Layer != Default {
		t.Errorf("%+v", got)
	}
	for _, key := range c.Keys() {
		for _, s := range c.Explain(key) {
			if strings.Contains(s.Value, "sesame") {
				t.Errorf("%s shows %s", key, s.Value)
			}
		}
	}
	for _, w := range c.Warnings() {
		if strings.Contains(w.String(), "sesame") {
			t.Errorf("warning shows a secret: %s", w)
		}
	}
	if layer, ok := c.Origin("tag"); !ok || layer != Env || c.IsDefault("tag") || !c.IsDefault("registry") {
		t.Errorf("origin %v %v", layer, ok)
	}
}

func TestUnreadableFilesCountAsEmpty(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".npmrc"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "package.json"), "{}")
	big := filepath.Join(dir, "big")
	write(t, big, strings.Repeat("a=1\n", fileSizeMax/4+1))
	c, err := Load(Options{Dir: dir, Home: dir + "/h", GlobalPrefix: dir + "/g", Flags: map[string]string{"userconfig": big}})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Warnings()) != 2 || c.Registry() != DefaultRegistry {
		t.Errorf("warnings %v, registry %s", c.Warnings(), c.Registry())
	}
}

func TestSameFileTwice(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".npmrc"), "tag=home\n")
	for _, o := range []Options{
		{Dir: dir, Home: dir, GlobalPrefix: dir + "/g"}, // the project is the home directory
		{Dir: dir + "/sub", Home: dir, GlobalPrefix: dir + "/g", Env: []string{"npm_config_userconfig=/dev/null", "npm_config_globalconfig=/dev/null"}},
	} {
		c, err := Load(o)
		if err != nil || len(c.Warnings()) != 0 {
			t.Errorf("%+v: %v, %v", o, err, c.Warnings())
		}
	}
}

func TestProjectFolder(t *testing.T) {
	root := t.TempDir()
	write(t, root+"/package.json", `{"workspaces":["packages/*","!packages/out","deep/**"]}`)
	write(t, root+"/.npmrc", "tag=root")
	for _, dir := range []string{"packages/a", "packages/out", "deep/x/y", "other", "packages/a/node_modules/m"} {
		write(t, filepath.Join(root, dir, "package.json"), `{}`)
		write(t, filepath.Join(root, dir, ".npmrc"), "tag=own")
	}
	for _, c := range []struct{ start, project, workspace, tag string }{
		{"", "", "", "root"},
		{"packages/a", "", "packages/a", "root"},
		{"packages/a/src/lib", "", "packages/a", "root"},
		{"packages/out", "packages/out", "-", "own"},
		{"deep/x/y", "", "deep/x/y", "root"},
		{"other", "other", "-", "own"},
		{"packages/a/node_modules/m", "packages/a/node_modules/m", "-", "own"},
	} {
		cfg, err := Load(Options{Dir: filepath.Join(root, c.start), Home: root + "/h", GlobalPrefix: root + "/g"})
		if err != nil {
			t.Fatal(err)
		}
		workspace := ""
		if c.workspace != "-" && c.workspace != "" {
			workspace = filepath.Join(root, c.workspace)
		}
		if cfg.ProjectDir() != filepath.Join(root, c.project) || cfg.WorkspaceDir() != workspace || cfg.Get("tag") != c.tag {
			t.Errorf("%q: project %q, workspace %q, tag %q", c.start, cfg.ProjectDir(), cfg.WorkspaceDir(), cfg.Get("tag"))
		}
	}
	flat, _ := Load(Options{Dir: root + "/packages/a", Home: root + "/h", GlobalPrefix: root + "/g", Flags: map[string]string{"workspaces": "false"}})
	if flat.ProjectDir() != filepath.Join(root, "packages/a") {
		t.Errorf("--no-workspaces: %q", flat.ProjectDir())
	}
	global, _ := Load(Options{Dir: root, Home: root + "/h", GlobalPrefix: root + "/g", Flags: map[string]string{"global": ""}})
	if global.Get("tag") != "latest" {
		t.Errorf("--global read the project's file: %q", global.Get("tag"))
	}
}

func TestBefore(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		project, env string
		want         time.Time
		fails        bool
	}{
		{"", "", time.Time{}, false},
		{"before=2026-01-02", "", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), false},
		{"min-release-age=2", "", now.Add(-48 * time.Hour), false},
		{"min-release-age=2\nbefore=2026-01-02", "", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), false},
		{"before=2026-01-02", "npm_config_min_release_age=1", now.Add(-24 * time.Hour), false},
		{"min-release-age=2", "npm_config_before=2026-01-02T03:04:05Z", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), false},
		{"min-release-age=2", "npm_config_min_release_age=0", time.Time{}, false},
		{"before=soon", "", time.Time{}, true},
		{"min-release-age=soon", "", time.Time{}, true},
		{"min-release-age=-1", "", time.Time{}, true},
	} {
		got, err := project(t, c.project, c.env).Before(now)
		if !got.Equal(c.want) || (err != nil) != c.fails {
			t.Errorf("%q, %q: %v, %v", c.project, c.env, got, err)
		}
	}
	c := project(t, "min-release-age-exclude[]=@me/*, exact\nmin-release-age-exclude[]=lib-*")
	for pkg, want := range map[string]bool{"@me/a": true, "@you/a": false, "exact": true, "exactly": false, "lib-x": true, "": false} {
		if c.BeforeExempts(pkg) != want {
			t.Errorf("%q exempt: %v", pkg, !want)
		}
	}
}

func TestParseDate(t *testing.T) {
	want := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, s := range []string{
		"2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z", "2026-01-02T04:04:05+01:00", "2026-01-02T04:04:05+0100", " 2026-01-02T03:04:05Z ",
		"Fri, 02 Jan 2026 03:04:05 GMT", "Fri Jan 02 2026 03:04:05 GMT+0000 (Coordinated Universal Time)", "2026-01-02 03:04:05Z",
	} {
		if got, err := ParseDate(s); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"2026-01-02", "2026-01", "2026", "Jan 2, 2026", "1/2/2026"} {
		if got, err := ParseDate(s); err != nil || got.Year() != 2026 {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "tomorrow", "2026-13-01"} {
		if _, err := ParseDate(s); err == nil {
			t.Errorf("%q accepted", s)
		}
	}
}

func TestProxy(t *testing.T) {
	for _, c := range []struct{ npmrc, env, address, want string }{
		{"", "", "https://r/", ""},
		{"proxy=http://p:1/", "", "https://r/", "http://p:1/"},
		{"proxy=http://p:1/", "", "http://r/", "http://p:1/"},
		{"proxy=http://p:1/\nhttps-proxy=http://q:2/", "", "http://r/", "http://q:2/"},
		{"", "HTTPS_PROXY=http://e/", "https://r/", "http://e/"},
		{"", "http_proxy=http://e/", "https://r/", ""},
		{"", "http_proxy=http://e/", "http://r/", "http://e/"},
		{"", "Http_Proxy=e:8080", "http://r/", "http://e:8080"},
		{"proxy=http://p/\nnoproxy=r.example", "", "https://r.example/", ""},
		{"proxy=http://p/\nnoproxy=.example", "", "https://r.example/", ""},
		{"proxy=http://p/\nnoproxy=ample", "", "https://r.example/", "http://p/"},
		{"proxy=http://p/", "NO_PROXY=other, r.example", "https://r.example:8443/", ""},
		{"proxy=http://p/\nnoproxy=x", "NO_PROXY=r", "https://r/", "http://p/"},
		{"proxy=http://p/\nnoproxy=*", "", "https://r/", ""},
		{"proxy=socks5://p:1080", "", "https://r/", "socks5://p:1080"},
		{"proxy=ftp://p/", "", "https://r/", "error"},
		{"proxy=false", "", "https://r/", ""},
	} {
		u, _ := url.Parse(c.address)
		got, err := project(t, c.npmrc, c.env).Proxy(u)
		text := ""
		if err != nil {
			text = "error"
		} else if got != nil {
			text = got.String()
		}
		if text != c.want {
			t.Errorf("%+v: %q (%v)", c, text, err)
		}
	}
}

func TestTLS(t *testing.T) {
	if conf, err := project(t, "strict-ssl=false").TLS(); err != nil || !conf.InsecureSkipVerify {
		t.Errorf("strict-ssl=false: %v, %v", conf, err)
	}
	conf, err := project(t, "cafile=missing.pem").TLS()
	if err != nil || conf.RootCAs != nil || conf.InsecureSkipVerify {
		t.Errorf("missing cafile: %+v, %v", conf, err)
	}
	if _, err := project(t, "ca=nonsense").TLS(); err == nil {
		t.Error("a ca without a certificate was accepted")
	}
	if _, err := project(t, "cert=x\nkey=y").TLS(); err == nil {
		t.Error("a broken client certificate was accepted")
	}
}

func TestNumbers(t *testing.T) {
	c := project(t, "fetch-timeout=1e99\nfetch-retries=x\nmaxsockets=2.9\nfetch-retry-maxtimeout=-5")
	if c.Duration("fetch-timeout") != 365*24*time.Hour || c.Int("fetch-retries") != 2 || c.Int("maxsockets") != 2 || c.Duration("fetch-retry-maxtimeout") != 0 {
		t.Errorf("%v %v %v %v", c.Duration("fetch-timeout"), c.Int("fetch-retries"), c.Int("maxsockets"), c.Duration("fetch-retry-maxtimeout"))
	}
	if c.Int("cache-max") != math.MaxInt32 || c.Int("no-such") != 0 {
		t.Errorf("cache-max %d", c.Int("cache-max"))
	}
	for s, want := range map[string]float64{"": 0, " 7 ": 7, "0x1F": 31, "0b11": 3, "1e3": 1000, ".5": 0.5, "-2": -2, "Infinity": math.Inf(1), "-Infinity": math.Inf(-1)} {
		if got, ok := parseNumber(s); !ok || got != want {
			t.Errorf("%q: %v, %v", s, got, ok)
		}
	}
	for _, s := range []string{"x", "1_000", "0x", "0x1p4", "--1", "inf", "NaN", "1 2", "--Infinity"} {
		if got, ok := parseNumber(s); ok {
			t.Errorf("%q read as %v", s, got)
		}
	}
}

func TestUserAgent(t *testing.T) {
	got := project(t, "").UserAgent("11.19.1", "v20.1.0", "linux", "x64")
	if got != "npm/11.19.1 node/v20.1.0 linux x64 workspaces/false" {
		t.Errorf("%q", got)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("//h/:_authToken=${T}\nregistry=https://h/\nca[]=x\nbefore=2026", "https://h/x")
	f.Add("[s]\nomit[]='[1]'\nproxy='{\"a\":1}'\nnoproxy[]='null'", "http://[::1]:80/a%2fb")
	f.Add("omit='{\"__proto__\":[]}'\nmin-release-age=1e308\ncache-min=x", "://")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content, address string) {
		c := &Config{env: map[string]string{"T": "t"}, dir: dir, home: dir}
		c.defaults(dir)
		ini := ParseINI([]byte(content))
		for _, m := range ini.Value().Members() {
			c.set(Project, m.Key, m.Value, ini.Line(m.Key))
		}
		for _, key := range c.Keys() {
			c.Get(key)
			c.Bool(key)
			c.Int(key)
			c.Duration(key)
			c.List(key)
			c.Explain(key)
		}
		if a := c.Auth(address, "@s/p"); strings.ContainsAny(a.Header, "\r\n") {
			t.Fatalf("header %q", a.Header)
		}
		c.ReplaceHost(address)
		c.Omit()
		c.Before(time.Unix(0, 0))
		c.BeforeExempts(address)
		c.InstallStrategy()
		c.PackageLock()
		c.LockfileVersion()
		c.CacheMode()
		c.UserAgent("", "", "", "")
		c.Scopes()
		if u, err := url.Parse(address); err == nil {
			c.Proxy(u)
		}
		if len(c.sets[Project]) > ini.Value().Len() {
			t.Fatal("more settings than keys")
		}
		if v, _ := c.Value("registry"); v.Kind() == jsonval.String && !strings.HasSuffix(c.Registry(), "/") {
			t.Fatalf("registry %q", c.Registry())
		}
	})
}
