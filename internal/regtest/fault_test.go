package regtest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestFaults asks for a packument and a tarball under each fault and looks at
// what a client sees.
func TestFaults(t *testing.T) {
	broken := func(resp *http.Response, body []byte, err error, good []byte) bool { return err != nil }
	status := func(want int) func(*http.Response, []byte, error, []byte) bool {
		return func(resp *http.Response, _ []byte, err error, _ []byte) bool {
			return err == nil && resp.StatusCode == want
		}
	}
	for _, tc := range []struct {
		name  string
		fault Fault
		tgz   bool
		sees  func(*http.Response, []byte, error, []byte) bool
	}{
		{"429", Fault{Kind: Answer, Status: 429, RetryAfter: "1"}, false,
			func(resp *http.Response, _ []byte, err error, _ []byte) bool {
				return err == nil && resp.StatusCode == 429 && resp.Header.Get("Retry-After") == "1"
			}},
		{"503 tarball", Fault{Kind: Answer, Status: 503, On: Tarballs}, true, status(503)},
		{"503 elsewhere", Fault{Kind: Answer, Status: 503, On: Tarballs}, false, status(200)},
		{"404", Fault{Kind: Answer, Status: 404}, true, status(404)},
		{"truncated", Fault{Kind: Truncate}, true, broken},
		{"reset", Fault{Kind: Drop}, true, broken},
		{"reset packument", Fault{Kind: Drop}, false, broken},
		{"short", Fault{Kind: Short}, true, func(_ *http.Response, body []byte, err error, good []byte) bool {
			return err == nil && len(body) == len(good)/2
		}},
		{"corrupt", Fault{Kind: Corrupt}, true, func(_ *http.Response, body []byte, err error, good []byte) bool {
			return err == nil && len(body) == len(good) && !bytes.Equal(body, good)
		}},
		{"other host", Fault{Kind: RedirectOther}, true, func(resp *http.Response, _ []byte, err error, _ []byte) bool {
			return err == nil && resp.StatusCode == 302 && strings.HasPrefix(resp.Header.Get("Location"), "http://localhost:")
		}},
		{"loop", Fault{Kind: RedirectLoop}, false, func(resp *http.Response, _ []byte, err error, _ []byte) bool {
			return err == nil && resp.StatusCode == 302 && resp.Header.Get("Location") == "/leaf"
		}},
		{"html", Fault{Kind: SignIn}, false, func(resp *http.Response, body []byte, err error, _ []byte) bool {
			return err == nil && resp.StatusCode == 200 && bytes.Contains(body, []byte("<html>"))
		}},
		{"bad json", Fault{Kind: BadJSON}, false, func(_ *http.Response, body []byte, err error, good []byte) bool {
			return err == nil && bytes.HasPrefix(good, body) && len(body) < len(good)
		}},
		{"encoded", Fault{Kind: Encoded}, true, func(resp *http.Response, body []byte, err error, good []byte) bool {
			return err == nil && resp.Header.Get("Content-Encoding") == "gzip" && !bytes.Equal(body, good)
		}},
		{"slow", Fault{Kind: Slow, Pause: time.Millisecond}, true, func(_ *http.Response, body []byte, err error, good []byte) bool {
			return err == nil && bytes.Equal(body, good)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			reg := sample(t)
			path := "leaf"
			if tc.tgz {
				path = "leaf/-/leaf-1.0.0.tgz"
			}
			_, good, err := ask(t, reg.URL()+path)
			if err != nil {
				t.Fatal(err)
			}
			reg.Fail("leaf", tc.fault)
			resp, body, err := ask(t, reg.URL()+path)
			if !tc.sees(resp, body, err, good) {
				t.Errorf("saw %v, %q, %v", resp, body, err)
			}
			reg.Heal("leaf")
			if _, body, err = ask(t, reg.URL()+path); err != nil || !bytes.Equal(body, good) {
				t.Errorf("after Heal: %q, %v", body, err)
			}
		})
	}
}

func TestFaultStrikesAsOftenAsSaid(t *testing.T) {
	reg := sample(t)
	reg.Fail("leaf", Fault{Kind: Answer, Status: 500, Times: 2})
	reg.Fail("", Fault{Kind: Answer, Status: 502, Times: 1})
	var got []int
	for range 4 {
		resp, _, err := ask(t, reg.URL()+"leaf")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, resp.StatusCode)
	}
	for i, want := range []int{500, 500, 502, 200} {
		if got[i] != want {
			t.Fatalf("statuses %v", got)
		}
	}
}

func TestNotAcceptable(t *testing.T) {
	reg := sample(t)
	reg.Fail("@s/app", Fault{Kind: NotAcceptable})
	resp, _, err := ask(t, reg.URL()+"@s/app", "Accept", shortType)
	if err != nil || resp.StatusCode != 406 {
		t.Errorf("abbreviated alone: %v, %v", resp, err)
	}
	_, body, err := ask(t, reg.URL()+"@s/app", "Accept", shortType+", application/json;q=0.5")
	if err != nil || parse(t, body).Versions["1.0.0"].License != "MIT" {
		t.Errorf("with an alternative: %s, %v", body, err)
	}
}

// TestHang holds requests until the client or the registry gives up.
func TestHang(t *testing.T) {
	for _, kind := range []Kind{Hang, HangBody} {
		reg := sample(t)
		reg.Fail("leaf", Fault{Kind: kind, On: Tarballs})
		ctx, cancel := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, reg.URL()+"leaf/-/leaf-1.0.0.tgz", nil)
		if err != nil {
			t.Fatal(err)
		}
		failed := make(chan error, 1)
		transport := &http.Transport{DisableKeepAlives: true}
		go func() {
			resp, err := (&http.Client{Transport: transport}).Do(req)
			if err == nil {
				_, err = io.ReadAll(resp.Body)
				resp.Body.Close()
			}
			failed <- err
		}()
		if err := reg.Await(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if kind == Hang {
			cancel()
		} else {
			reg.Close()
		}
		if err := <-failed; err == nil {
			t.Errorf("kind %d: the request was answered", kind)
		}
		cancel()
	}
}
