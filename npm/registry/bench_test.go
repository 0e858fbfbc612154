package registry

import (
	"crypto/tls"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"

	"weft/npm/packument"
)

// benchDoc is a document of about 100 KB: 130 versions of text that packs as
// real ones do.
func benchDoc() []byte {
	var b strings.Builder
	b.WriteString(`{"name":"a","dist-tags":{"latest":"1.0.0"},"versions":{`)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 130 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"1.0.%d":{"name":"a","version":"1.0.%d","dependencies":{"left":"^%d.0.0","right":"~1.%d.0"},"engines":{"node":">=18"},"dist":{"integrity":"sha512-%088x","shasum":"%040x","tarball":"http://localhost/a/-/a-1.0.%d.tgz","fileCount":%d,"unpackedSize":%d,"signatures":[{"keyid":"SHA256:jl3bwswu80PjjokCgh0o2w5c2U4LhQAE57gj9cz1kzA","sig":"MEUCI%078x"}]}}`,
			i, i, i, i, r.Uint64(), r.Uint64(), i, i, i*1000, r.Uint64())
	}
	b.WriteString(`},"modified":"2026-01-01T00:00:00.000Z"}`)
	return []byte(b.String())
}

// loopback serves the document, packed where asked for, at every path, and a
// tarball at paths that end in .tgz.
func loopback(b *testing.B, encrypted bool) (*httptest.Server, int, int) {
	doc := benchDoc()
	gz := packed(doc)
	tgz := make([]byte, 75<<10)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range tgz {
		tgz[i] = byte(r.Uint32())
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := doc
		if strings.HasSuffix(r.URL.Path, ".tgz") {
			body = tgz
		} else if r.Header.Get("Accept-Encoding") == "gzip" {
			w.Header().Set("Content-Encoding", "gzip")
			body = gz
		}
		w.Header().Set("Content-Type", abbreviatedType)
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		w.Header().Set("Cache-Control", "max-age=300")
		w.Write(body)
	}))
	if encrypted {
		s.EnableHTTP2 = true
		s.StartTLS()
	} else {
		s.Start()
	}
	b.Cleanup(s.Close)
	return s, len(doc), len(tgz)
}

const batch = 700 // what an installation of middling size asks for

// each runs work for every item of a batch on 64 goroutines.
func each(b *testing.B, work func(i int) error) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for i := range next {
				if err := work(i); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for i := range batch {
		next <- i
	}
	close(next)
	wg.Wait()
}

// bare is the same by net/http alone, the floor: documents unpacked and parsed,
// tarballs read, a transport of its own each time.
func bare(b *testing.B, s *httptest.Server, suffix string) {
	for b.Loop() {
		tr := &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
		each(b, func(i int) error { return bareOne(tr, fmt.Sprintf("%s/p%d%s", s.URL, i, suffix)) })
		tr.CloseIdleConnections()
	}
}

func bareOne(tr *http.Transport, address string) error {
	req, err := http.NewRequest("GET", address, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept-Encoding", "gzip")
	resp, err := tr.RoundTrip(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.Header.Get("Content-Encoding") == "" {
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	r, err := gzip.NewReader(resp.Body)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	_, err = packument.Parse(body)
	return err
}

// BenchmarkPackuments asks for 700 documents of 100 KB, each with a client of
// its own, as a run does.
func BenchmarkPackuments(b *testing.B) {
	s, size, _ := loopback(b, false)
	tlsServer, _, _ := loopback(b, true)
	run := func(server *httptest.Server, o Options, config string) func(*testing.B) {
		return func(b *testing.B) {
			b.SetBytes(int64(batch * size))
			b.ReportAllocs()
			for b.Loop() {
				o := o
				if o.CacheDir == "cold" {
					o.CacheDir = b.TempDir()
				}
				o.Config = settings(b, "registry="+server.URL+"/\n"+config)
				o.clock = realClock{}
				c, err := New(o)
				if err != nil {
					b.Fatal(err)
				}
				each(b, func(i int) error {
					_, err := c.Packument(b.Context(), fmt.Sprintf("p%d", i), false)
					return err
				})
				c.Close()
			}
		}
	}
	b.Run("bare", func(b *testing.B) { b.SetBytes(int64(batch * size)); bare(b, s, "") })
	b.Run("client", run(s, Options{}, ""))
	b.Run("client, cold cache", run(s, Options{CacheDir: "cold"}, ""))
	warm := b.TempDir()
	b.Run("client, warm cache", run(s, Options{CacheDir: warm}, ""))
	b.Run("tls/bare", func(b *testing.B) { b.SetBytes(int64(batch * size)); bare(b, tlsServer, "") })
	b.Run("tls/http1", run(tlsServer, Options{}, "strict-ssl=false\n"))
	b.Run("tls/http2", run(tlsServer, Options{HTTP2: true}, "strict-ssl=false\n"))
}

// BenchmarkTarballs asks for 700 tarballs of 75 KB.
func BenchmarkTarballs(b *testing.B) {
	plainServer, _, size := loopback(b, false)
	tlsServer, _, _ := loopback(b, true)
	run := func(server *httptest.Server, o Options) func(*testing.B) {
		return func(b *testing.B) {
			o.Config, o.clock = settings(b, "strict-ssl=false\n"), realClock{}
			b.SetBytes(int64(batch * size))
			b.ReportAllocs()
			for b.Loop() {
				c, err := New(o)
				if err != nil {
					b.Fatal(err)
				}
				each(b, func(i int) error {
					t, err := c.Tarball(b.Context(), fmt.Sprintf("%s/p%d.tgz", server.URL, i), TarballOptions{})
					if err != nil {
						return err
					}
					t.Release()
					return nil
				})
				c.Close()
			}
		}
	}
	b.Run("bare", func(b *testing.B) { b.SetBytes(int64(batch * size)); bare(b, plainServer, ".tgz") })
	b.Run("client", run(plainServer, Options{}))
	b.Run("tls/bare", func(b *testing.B) { b.SetBytes(int64(batch * size)); bare(b, tlsServer, ".tgz") })
	b.Run("tls/http1", run(tlsServer, Options{}))
	b.Run("tls/http2", run(tlsServer, Options{HTTP2: true}))
}
