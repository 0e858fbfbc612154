package regtest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ask sends one request on a connection of its own and returns what came.
func ask(t *testing.T, url string, header ...string) (*http.Response, []byte, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	transport := &http.Transport{DisableCompression: true, DisableKeepAlives: true}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	resp, err := client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp, body, err
}

type packument struct {
	Name     string
	Tags     map[string]string `json:"dist-tags"`
	Modified string
	Time     map[string]string
	Versions map[string]struct {
		Dependencies     map[string]string
		Scripts          map[string]string
		Deprecated       string
		HasInstallScript bool `json:"hasInstallScript"`
		License          string
		Dist             struct{ Tarball, Integrity, Shasum string }
	}
}

func parse(t *testing.T, body []byte) packument {
	t.Helper()
	var p packument
	if err := json.Unmarshal(body, &p); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return p
}

func sample(t *testing.T) *Registry {
	reg := New(t)
	reg.Add(
		Package{Name: "leaf", Version: "1.0.0"},
		Package{Name: "leaf", Version: "2.0.0-rc.1", Tags: []string{"next"}},
		Package{Name: "@s/app", Version: "1.0.0", Deprecated: "use leaf",
			Manifest: `{"dependencies": {"leaf": "^1.0.0"}, "license": "MIT", "scripts": {"install": "node x"}}`,
			Files:    map[string]string{"lib/x.js": "1\n"}},
	)
	return reg
}

func TestPackumentForms(t *testing.T) {
	reg := sample(t)
	resp, body, err := ask(t, reg.URL()+"@s%2fapp")
	if err != nil {
		t.Fatal(err)
	}
	full := parse(t, body)
	v := full.Versions["1.0.0"]
	if full.Name != "@s/app" || v.License != "MIT" || v.Scripts["install"] == "" || full.Time["1.0.0"] == "" || v.Deprecated != "use leaf" {
		t.Errorf("full packument: %s", body)
	}
	if resp.Header.Get("ETag") == "" || resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("headers: %v", resp.Header)
	}
	resp, body, err = ask(t, reg.URL()+"@s/app", "Accept", shortType+"; q=1.0, application/json; q=0.8", "Accept-Encoding", "gzip")
	if err != nil {
		t.Fatal(err)
	}
	if resp.Header.Get("Content-Type") != shortType || resp.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("headers: %v", resp.Header)
	}
	zr, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body, err = io.ReadAll(zr); err != nil {
		t.Fatal(err)
	}
	short := parse(t, body)
	v = short.Versions["1.0.0"]
	if v.License != "" || v.Scripts != nil || !v.HasInstallScript || v.Dependencies["leaf"] == "" || short.Modified == "" || short.Time != nil {
		t.Errorf("abbreviated packument: %s", body)
	}
	resp, _, err = ask(t, reg.URL()+"@s/app", "Accept", shortType, "If-None-Match", resp.Header.Get("ETag"))
	if err != nil || resp.StatusCode != http.StatusNotModified {
		t.Errorf("conditional request: %v, %v", resp.Status, err)
	}
}

func TestTarballMatchesItsHash(t *testing.T) {
	reg := sample(t)
	_, body, err := ask(t, reg.URL()+"@s/app")
	if err != nil {
		t.Fatal(err)
	}
	dist := parse(t, body).Versions["1.0.0"].Dist
	_, tgz, err := ask(t, dist.Tarball)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha512.Sum512(tgz)
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum[:]); got != dist.Integrity {
		t.Errorf("tarball hashes to %s, the packument says %s", got, dist.Integrity)
	}
	again := sample(t)
	other, err := again.Tarball("@s/app", "1.0.0")
	if err != nil || !bytes.Equal(tgz, other) {
		t.Errorf("the same package made two tarballs (%v)", err)
	}
}

func TestTags(t *testing.T) {
	reg := sample(t)
	tags := func() map[string]string {
		body, err := reg.Packument("leaf", true)
		if err != nil {
			t.Fatal(err)
		}
		return parse(t, body).Tags
	}
	if got := tags(); got["latest"] != "1.0.0" || got["next"] != "2.0.0-rc.1" {
		t.Errorf("tags %v", got)
	}
	reg.Tag("leaf", "latest", "9.9.9")
	if got := tags(); got["latest"] != "9.9.9" {
		t.Errorf("tags %v", got)
	}
	if _, err := reg.Packument("nobody", true); !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown package: %v", err)
	}
}

func TestOverrides(t *testing.T) {
	reg := New(t)
	reg.Add(Package{Name: "odd", Version: "1.0.0", Manifest: `{"license": "MIT", "dependencies": null}`,
		Packument: `{"license": null}`, Dist: `{"integrity": null, "tarball": "{other}elsewhere.tgz"}`})
	body, err := reg.Packument("odd", true)
	if err != nil {
		t.Fatal(err)
	}
	v := parse(t, body).Versions["1.0.0"]
	if v.License != "" || v.Dist.Integrity != "" || v.Dist.Shasum == "" || v.Dist.Tarball != reg.OtherURL()+"elsewhere.tgz" {
		t.Errorf("overrides: %s", body)
	}
	if !strings.Contains(string(body), `"dependencies":null`) {
		t.Errorf("a manifest's null is gone: %s", body)
	}
}

func TestAuth(t *testing.T) {
	reg := sample(t)
	reg.RequireAuth("Bearer secret", "leaf")
	for _, tc := range []struct {
		name, header string
		want         int
	}{
		{"leaf", "", 401}, {"leaf", "Bearer wrong", 401}, {"leaf", "Bearer secret", 200}, {"@s/app", "", 200},
	} {
		resp, _, err := ask(t, reg.URL()+tc.name, "Authorization", tc.header)
		if err != nil || resp.StatusCode != tc.want {
			t.Errorf("%s with %q: %v, %v; want %d", tc.name, tc.header, resp.Status, err, tc.want)
		}
	}
}

func TestRequestsAreLogged(t *testing.T) {
	reg := sample(t)
	for _, path := range []string{"leaf", "npm/leaf", "nobody", "@s/app/-/app-1.0.0.tgz"} {
		if _, _, err := ask(t, reg.URL()+path, "User-Agent", "tester"); err != nil {
			t.Fatal(err)
		}
	}
	got := reg.Requests()
	if len(got) != 4 {
		t.Fatalf("%d requests logged", len(got))
	}
	for i, want := range []struct {
		pkg     string
		tarball bool
		status  int
	}{{"leaf", false, 200}, {"leaf", false, 200}, {"nobody", false, 404}, {"@s/app", true, 200}} {
		g := got[i]
		if g.Package != want.pkg || g.Tarball != want.tarball || g.Status != want.status || g.Header.Get("User-Agent") != "tester" || g.Host != Main {
			t.Errorf("request %d: %+v, want %+v", i, g, want)
		}
	}
	reg.Reset()
	if n := len(reg.Requests()); n != 0 {
		t.Errorf("%d requests after Reset", n)
	}
}

func TestGateway(t *testing.T) {
	reg := sample(t)
	reg.SetGateway(true)
	resp, body, err := ask(t, reg.URL()+"@s/app", "Accept", shortType, "Accept-Encoding", "gzip")
	if err != nil {
		t.Fatal(err)
	}
	if p := parse(t, body); p.Versions["1.0.0"].License != "MIT" || resp.Header.Get("ETag") != "" {
		t.Errorf("a gateway sent %v: %s", resp.Header, body)
	}
}

func TestTextAndJSON(t *testing.T) {
	reg := New(t)
	err := reg.AddText(`a comment
-- leaf@1.0.0/ --
-- @s/app@1.2.3-rc.1/package.json --
{"dependencies": {"leaf": "1"}}
-- @s/app@1.2.3-rc.1/lib/a.js --
one
-- @s/app@1.2.3-rc.1/.tags --
next beta
`)
	if err != nil {
		t.Fatal(err)
	}
	if err := reg.AddJSON([]byte(`[{"name": "j", "version": "1.0.0", "bin": "x.js", "files": {"x.js": "2"}}]`)); err != nil {
		t.Fatal(err)
	}
	body, err := reg.Packument("@s/app", true)
	if err != nil {
		t.Fatal(err)
	}
	p := parse(t, body)
	if p.Tags["beta"] != "1.2.3-rc.1" || p.Versions["1.2.3-rc.1"].Dependencies["leaf"] != "1" {
		t.Errorf("text: %s", body)
	}
	for _, id := range [][2]string{{"leaf", "1.0.0"}, {"@s/app", "1.2.3-rc.1"}, {"j", "1.0.0"}} {
		if _, err := reg.Tarball(id[0], id[1]); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"-- noversion/x --\n", "-- a@/x --\n"} {
		if err := reg.AddText(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	for _, bad := range []string{"{}", "[1]", "nonsense"} {
		if err := reg.AddJSON([]byte(bad)); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}
