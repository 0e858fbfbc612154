package registry

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"weft/npm/npmrc"
)

// identity is a client certificate, by the files it is in. The zero value is
// none.
type identity struct {
	certFile, keyFile string
}

// transports makes and keeps one http.Transport an identity, so that a
// connection that was opened with a certificate carries nobody else's
// requests.
type transports struct {
	cfg   *npmrc.Config
	http2 bool
	idle  int               // connections to keep a host
	fixed http.RoundTripper // replaces all, for tests

	mu   sync.Mutex
	made map[identity]*http.Transport
	base *tls.Config
}

// get gives the round tripper for an identity. It reads certificate files at
// the first call.
func (t *transports) get(id identity) (http.RoundTripper, error) {
	if t.fixed != nil {
		return t.fixed, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if tr := t.made[id]; tr != nil {
		return tr, nil
	}
	if t.base == nil {
		base, err := t.cfg.TLS()
		if err != nil {
			return nil, &settingsError{err}
		}
		t.base = base
	}
	conf := t.base.Clone()
	if id != (identity{}) {
		pair, err := tls.LoadX509KeyPair(id.certFile, id.keyFile)
		if err != nil {
			return nil, &settingsError{fmt.Errorf("read client certificate: %w", err)}
		}
		conf.Certificates = []tls.Certificate{pair}
	}
	tr := t.make(conf)
	if t.made == nil {
		t.made = map[identity]*http.Transport{}
	}
	t.made[id] = tr
	return tr, nil
}

func (t *transports) make(conf *tls.Config) *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(t.http2)
	dialer := &net.Dialer{KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                  t.proxy,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        conf,
		Protocols:              protocols,
		MaxIdleConns:           0, // no limit beyond the one a host
		MaxIdleConnsPerHost:    t.idle,
		IdleConnTimeout:        90 * time.Second,
		DisableCompression:     true, // gzip.go decodes
		ReadBufferSize:         64 << 10,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

func (t *transports) proxy(r *http.Request) (*url.URL, error) {
	u, err := t.cfg.Proxy(r.URL)
	if err != nil {
		return nil, &settingsError{err}
	}
	return u, nil
}

func (t *transports) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, tr := range t.made {
		tr.CloseIdleConnections()
	}
}
