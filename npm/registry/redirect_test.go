package registry

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// nerf is the settings' form of a server's address.
func nerf(address string) string { return "//" + strings.SplitN(address, "//", 2)[1] + "/" }

func TestTokenStaysOnItsOrigin(t *testing.T) {
	other := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if r.URL.Path == "/back" {
			http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
			return
		}
		w.Write([]byte("tgz"))
	})
	var s *server
	s = serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		switch r.URL.Path {
		case "/same":
			http.Redirect(w, r, "/end", http.StatusTemporaryRedirect)
		case "/other":
			http.Redirect(w, r, other.URL+"/end?signature=x", http.StatusFound)
		case "/round":
			http.Redirect(w, r, other.URL+"/back?to="+url.QueryEscape(s.URL+"/end"), http.StatusFound)
		default:
			w.Write([]byte("tgz"))
		}
	})
	config := s.registry() + nerf(s.URL) + ":_authToken=sesame\n" + nerf(other.URL) + ":_authToken=others\n"
	for path, want := range map[string]string{"/same": "Bearer sesame", "/other": "", "/round": "", "/end": "Bearer sesame"} {
		c, _ := client(t, config, Options{})
		got, err := c.Tarball(t.Context(), s.URL+path, TarballOptions{})
		if err != nil {
			t.Fatal(path, err)
		}
		got.Release()
		last := s.last()
		if path == "/other" {
			last = other.last()
		}
		if auth := last.Header.Get("Authorization"); auth != want {
			t.Errorf("%s: the last hop got %q, want %q", path, auth, want)
		}
	}
	for _, r := range other.reqs {
		if r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != "" {
			t.Errorf("%s got %v", r.URL, r.Header)
		}
	}
}

func TestRedirectsThatAreNotFollowed(t *testing.T) {
	for path, c := range map[string]struct {
		location func(n int) string
		reason   string
		most     int // requests
	}{
		"/self":    {func(int) string { return "/self" }, "a loop", 1},
		"/two":     {func(int) string { return "/two?x" }, "a loop", 2},
		"/endless": {func(n int) string { return fmt.Sprintf("/endless?again=%d", n) }, "more than 20", 21},
		"/file":    {func(int) string { return "file:///etc/passwd" }, "not an http", 1},
		"/script":  {func(int) string { return "javascript:x" }, "not an http", 1},
		"/bad":     {func(int) string { return "http://[" }, "not an address", 1},
		"/nohost":  {func(int) string { return "http:///x" }, "not an http", 1},
	} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
			w.Header().Set("Location", c.location(n))
			w.WriteHeader(http.StatusFound)
		})
		cl, clock := client(t, "", Options{})
		_, err := cl.Tarball(t.Context(), s.URL+path, TarballOptions{})
		var e *RedirectError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v", path, err)
		}
		if n := s.count(path); n > c.most || len(clock.sleeps()) != 0 {
			t.Errorf("%s: %d requests, %d retries", path, n, len(clock.sleeps()))
		}
	}
}

func TestRedirectWithoutLocation(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { w.WriteHeader(http.StatusFound) })
	c, _ := client(t, "", Options{})
	_, err := c.Tarball(t.Context(), s.URL+"/a", TarballOptions{})
	var e *StatusError
	if !errors.As(err, &e) || e.Status != http.StatusFound {
		t.Errorf("%v", err)
	}
}

func TestRedirectedTarget(t *testing.T) {
	for _, c := range []struct {
		from, location, want string
		keeps, refused       bool
	}{
		{"https://h/a", "/b", "https://h/b", true, false},
		{"https://h/a", "https://h:443/b", "https://h:443/b", true, false},
		{"https://h/a", "//H/b", "https://H/b", true, false},
		{"https://h/a", "https://h:8443/b", "https://h:8443/b", false, false},
		{"https://h/a", "https://h.evil/b", "https://h.evil/b", false, false},
		{"https://h/a", "http://h/b", "", false, true},
		{"https://h/a", "http://other/b", "", false, true},
		{"http://h/a", "https://h/b", "https://h/b", false, false},
		{"http://h/a", "http://u:p@h/b#f", "http://h/b", true, false},
		{"http://h/a", "http://other/b", "http://other/b", false, false},
	} {
		from, _ := url.Parse(c.from)
		got, err := target{url: from, secret: "Bearer sesame"}.redirected(c.location)
		if (err != nil) != c.refused {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if c.refused {
			if _, err := (target{url: from}).redirected(c.location); err != nil {
				t.Errorf("%+v without a token: %v", c, err)
			}
			continue
		}
		if got.url.String() != c.want || (got.secret != "") != c.keeps {
			t.Errorf("%+v: %s, secret %q", c, got.url, got.secret)
		}
	}
}

func TestCredentialsReachTheRegistryOnly(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { giveDoc(w, r) })
	cdn := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { w.WriteHeader(403) })
	config := "@s:registry=" + s.URL + "/npm/\n" + s.registry() + nerf(s.URL) + "npm/:_authToken=scoped\n"
	c, _ := client(t, config+eager, Options{})
	if _, err := c.Packument(t.Context(), "@s/a", false); err != nil {
		t.Fatal(err)
	}
	if r := s.last(); r.Header.Get("Authorization") != "Bearer scoped" || r.URL.EscapedPath() != "/npm/@s%2fa" {
		t.Errorf("%s: %v", r.URL.EscapedPath(), r.Header)
	}
	if _, err := c.Packument(t.Context(), "a", false); err != nil {
		t.Fatal(err)
	}
	if r := s.last(); r.Header.Get("Authorization") != "" {
		t.Errorf("%s: %v", r.URL, r.Header)
	}
	_, err := c.Tarball(t.Context(), cdn.URL+"/a.tgz", TarballOptions{Package: "@s/a"})
	var e *StatusError
	if !errors.As(err, &e) || e.Authorized || e.Elsewhere != nerf(s.URL)+"npm/" || cdn.last().Header.Get("Authorization") != "" {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestUserInAddressIsSentAndHidden(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if user, password, _ := r.BasicAuth(); user != "me" || password != "sesame" {
			t.Errorf("got %q %q", user, password)
		}
		w.WriteHeader(401)
	})
	registry := strings.Replace(s.URL, "://", "://me:sesame@", 1)
	var events []Event
	c, _ := client(t, "registry="+registry+"\n", Options{Observe: func(e Event) { events = append(events, e) }})
	_, docErr := c.Packument(t.Context(), "a", false)
	_, tarErr := c.Tarball(t.Context(), "/a.tgz?token=sesame", TarballOptions{Package: "a"})
	text := fmt.Sprint(docErr, tarErr, events)
	if strings.Contains(text, "sesame") || !strings.Contains(text, "401") {
		t.Error(text)
	}
}

func TestSecretsAreInNoError(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		switch r.URL.Path {
		case "/redirect":
			w.Header().Set("Location", "ftp://u:sesame@x/?sesame")
			w.WriteHeader(302)
		case "/stall":
			hijacked(t, w, "", nil, true)
		case "/html":
			fmt.Fprint(w, "<html>")
		default:
			w.WriteHeader(500)
		}
	})
	dead := serve(t, func(http.ResponseWriter, *http.Request, int) {})
	dead.Close()
	user := strings.Replace(s.URL, "://", "://u:sesame@", 1)
	config := "registry=" + user + "/\n" + nerf(s.URL) + ":_authToken=sesame\n"
	c, _ := client(t, config, Options{})
	for _, path := range []string{"/redirect", "/stall", "/500"} {
		if _, err := c.Tarball(t.Context(), user+path+"?k=sesame#sesame", TarballOptions{}); err == nil || strings.Contains(fmt.Sprintf("%v %+v", err, err), "sesame") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := c.Packument(t.Context(), "html", false); err == nil || strings.Contains(err.Error(), "sesame") {
		t.Errorf("%v", err)
	}
	for _, config := range []string{
		"proxy=http://u:sesame@" + strings.TrimPrefix(dead.URL, "http://") + "\n", "proxy=gopher://u:sesame@x\n", "proxy=http://u:sesame@[\n",
	} {
		p, _ := client(t, config+"registry="+user+"/\n", Options{})
		if _, err := p.Packument(t.Context(), "a", false); err == nil || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%q: %v", config, err)
		}
	}
	for _, registry := range []string{"http://u:sesame@[", "sesame", "ftp://u:sesame@h/"} {
		p, _ := client(t, "registry="+registry, Options{})
		if _, err := p.Packument(t.Context(), "a", false); err == nil || registry != "sesame" && strings.Contains(err.Error(), "sesame") {
			t.Errorf("%q: %v", registry, err)
		}
	}
}

func TestProxy(t *testing.T) {
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if r.URL.Host != "registry.invalid" || r.Header.Get("Proxy-Authorization") == "" {
			t.Errorf("%s %v", r.URL, r.Header)
		}
		giveDoc(w, r)
	})
	address := strings.Replace(proxy.URL, "://", "://u:p@", 1)
	c, _ := client(t, "registry=http://registry.invalid/\nproxy="+address+"\n", Options{})
	if _, err := c.Packument(t.Context(), "a", false); err != nil {
		t.Error(err)
	}
	direct, _ := client(t, "registry=http://registry.invalid/\nproxy="+address+"\nnoproxy=invalid\nfetch-retries=0\n", Options{})
	if _, err := direct.Packument(t.Context(), "a", false); err == nil {
		t.Error("noproxy went through the proxy")
	}
}

func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(giveDoc))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	file := filepath.Join(t.TempDir(), "ca.pem")
	pem := pemOf(s.Certificate().Raw)
	if err := os.WriteFile(file, []byte(pem), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		config string
		works  bool
	}{
		{"", false},
		{"strict-ssl=false\n", true},
		{"cafile=" + file + "\n", true},
		{`ca="` + strings.ReplaceAll(pem, "\n", `\n`) + "\"\n", true},
		{`ca[]="` + strings.ReplaceAll(pem, "\n", `\n`) + "\"\n", true},
	} {
		cl, clock := client(t, "registry="+s.URL+"/\n"+c.config, Options{})
		_, err := cl.Packument(t.Context(), "a", false)
		if (err == nil) != c.works || len(clock.sleeps()) != 0 {
			t.Errorf("%.20q: %v after %d retries", c.config, err, len(clock.sleeps()))
		}
	}
	for _, config := range []string{"ca=broken\n", nerf(s.URL) + ":certfile=/no\n" + nerf(s.URL) + ":keyfile=/no\n"} {
		cl, clock := client(t, "registry="+s.URL+"/\n"+config, Options{})
		if _, err := cl.Packument(t.Context(), "a", false); err == nil || len(clock.sleeps()) != 0 {
			t.Errorf("%q: %v after %d retries", config, err, len(clock.sleeps()))
		}
	}
}
