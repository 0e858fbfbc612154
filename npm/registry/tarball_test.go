package registry

import (
	"bytes"
	"encoding/pem"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"weft/npm/npmrc"
)

func pemOf(der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

func TestTarballIsWhatWasSent(t *testing.T) {
	tgz := packed(bytes.Repeat([]byte("content"), 500))
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if r.Header.Get("Accept-Encoding") != "identity" {
			t.Errorf("%v", r.Header)
		}
		switch r.URL.Path {
		case "/plain.tgz":
			w.Write(tgz)
		case "/mislabelled.tgz": // a server that takes the file's own compression for the transfer's
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(tgz)
		case "/twice.tgz":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(packed(tgz))
		case "/type.tgz":
			w.Header().Set("Content-Type", "text/html")
			w.Write(tgz)
		}
	})
	c, _ := client(t, "", Options{})
	for _, path := range []string{"plain", "mislabelled", "twice", "type"} {
		got, err := c.Tarball(t.Context(), s.URL+"/"+path+".tgz?q=1", TarballOptions{})
		if err != nil || !bytes.Equal(got.Data, tgz) || got.URL != s.URL+"/"+path+".tgz" {
			t.Errorf("%s: %v", path, err)
			continue
		}
		got.Release()
		got.Release()
	}
}

func TestFreshAsksCachesToStepAside(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {})
	c, _ := client(t, "", Options{})
	for _, fresh := range []bool{false, true} {
		if _, err := c.Tarball(t.Context(), s.URL+"/a", TarballOptions{Fresh: fresh}); err != nil {
			t.Fatal(err)
		}
		if got := s.last().Header.Get("Cache-Control") == "no-cache"; got != fresh {
			t.Errorf("fresh %v: %v", fresh, s.last().Header)
		}
	}
}

func TestBuffersAreNotShared(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	bodies := map[string][]byte{}
	for _, name := range []string{"/a", "/b", "/c", "/d"} {
		b := make([]byte, r.IntN(300_000))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		bodies[name] = b
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		b := bodies[r.URL.Path]
		if n%2 == 0 && len(b) > 0 { // without a length
			w.Write(b[:1])
			w.(http.Flusher).Flush()
			b = b[1:]
		}
		w.Write(b)
	})
	c, _ := client(t, "", Options{})
	done := make(chan bool)
	for name, want := range bodies {
		go func() {
			defer func() { done <- true }()
			for range 30 {
				got, err := c.Tarball(t.Context(), s.URL+name, TarballOptions{})
				if err != nil || !bytes.Equal(got.Data, want) {
					t.Errorf("%s: %v", name, err)
					return
				}
				got.Release()
			}
		}()
	}
	for range bodies {
		<-done
	}
}

func TestTarballURL(t *testing.T) {
	public := npmrc.DefaultRegistry
	for _, c := range []struct{ config, address, pkg, want string }{
		{"registry=http://r:1/", public + "a/-/a-1.0.0.tgz", "a", "http://r:1/a/-/a-1.0.0.tgz"},
		{"registry=http://r:1/npm/", public + "a/-/a-1.0.0.tgz", "a", "http://r:1/npm/a/-/a-1.0.0.tgz"},
		{"registry=http://r:1/\nreplace-registry-host=never", public + "a/-/a-1.0.0.tgz", "a", public + "a/-/a-1.0.0.tgz"},
		{"registry=http://r:1/npm-b/\nreplace-registry-host=always", "http://localhost:4999/npm-b/leaf/-/leaf-2.0.0.tgz", "leaf", "http://r:1/npm-b/leaf/-/leaf-2.0.0.tgz"},
		{"registry=http://r:1/\nreplace-registry-host=old.example", "https://old.example/a.tgz", "a", "http://r:1/a.tgz"},
		{"registry=http://r:1/", "https://cdn.example/a.tgz?sig=1", "a", "https://cdn.example/a.tgz?sig=1"},
		{"registry=http://r:1/reg/", "/a/-/a-1.0.0.tgz", "a", "http://r:1/a/-/a-1.0.0.tgz"},
		{"registry=http://r:1/reg/", "a/-/a-1.0.0.tgz", "a", "http://r:1/reg/a/-/a-1.0.0.tgz"},
		{"registry=http://r:1/\n@s:registry=http://s:2/", "/x.tgz", "@s/a", "http://s:2/x.tgz"},
		{"registry=http://r:1/", "//cdn.example/a.tgz", "a", "http://cdn.example/a.tgz"},
		{"registry=http://r:1/", "file:///etc/passwd", "a", ""},
		{"registry=http://r:1/", "git+ssh://h/x", "a", ""},
		{"registry=http://r:1/", "http://[", "a", ""},
		{"registry=nonsense", "/a.tgz", "a", ""},
	} {
		cl, _ := client(t, c.config, Options{})
		got, err := cl.TarballURL(c.address, c.pkg)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}

func TestMessage(t *testing.T) {
	for body, want := range map[string]string{
		"": "", "<html>": "", `{"error":"x"}`: "x", `{"error":"code","reason":"words"}`: "words", `{"message":"m"}`: "m", `{"error":{"a":1}}`: "",
		`{"error":"a\u0007\u001b]0;x\u009bb\nc"}`: "a]0;xbc",
	} {
		if got := message([]byte(body)); got != want {
			t.Errorf("%q: %q", body, got)
		}
	}
	if got := message([]byte(`{"error":"` + strings.Repeat("é", 1000) + `"}`)); len([]rune(got)) != 201 {
		t.Errorf("%d runes", len([]rune(got)))
	}
}
