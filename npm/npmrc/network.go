package npmrc

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// TLS gives the settings for encrypted connections: the certificate
// authorities of ca and cafile in place of the system's (those of
// NODE_EXTRA_CA_CERTS beside them), no checks at all where strict-ssl is off,
// and the client certificate of cert and key. It reads files. A cafile that is
// missing counts as not set.
func (c *Config) TLS() (*tls.Config, error) {
	conf := &tls.Config{
		MinVersion:         tls.VersionTLS12,
		ClientSessionCache: tls.NewLRUClientSessionCache(64),
	}
	if v, _ := c.Value("strict-ssl"); !v.IsNull() && !isOn(v) {
		conf.InsecureSkipVerify = true
	}
	roots, err := c.roots()
	if err != nil {
		return nil, err
	}
	conf.RootCAs = roots
	if cert, key := c.Get("cert"), c.Get("key"); cert != "" && key != "" {
		pair, err := tls.X509KeyPair([]byte(unescapePEM(cert)), []byte(unescapePEM(key)))
		if err != nil {
			return nil, fmt.Errorf("read client certificate of the settings cert and key: %w", err)
		}
		conf.Certificates = []tls.Certificate{pair}
	}
	return conf, nil
}

// unescapePEM gives line breaks that were written as \n their meaning.
func unescapePEM(s string) string { return strings.ReplaceAll(s, `\n`, "\n") }

func (c *Config) roots() (*x509.CertPool, error) {
	var pems []string
	for layer := range layers { // the strongest layer's; within one cafile wins
		if _, found := c.sets[layer]["ca"]; found {
			pems = pems[:0]
			for _, pem := range c.listAt(Layer(layer), "ca") {
				pems = append(pems, unescapePEM(pem))
			}
		}
		s, found := c.sets[layer]["cafile"]
		if file, _ := s.value.Str(); found && file != "" {
			data, err := os.ReadFile(file)
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("read cafile: %w", err)
			}
			pems = []string{string(data)}
		}
	}
	if len(pems) > 0 {
		pool := x509.NewCertPool()
		for _, pem := range pems {
			if !pool.AppendCertsFromPEM([]byte(pem)) {
				return nil, errors.New("read certificate authorities: no PEM certificate in ca or cafile")
			}
		}
		return pool, nil
	}
	extra := c.env["NODE_EXTRA_CA_CERTS"]
	if extra == "" {
		return nil, nil
	}
	data, err := os.ReadFile(extra)
	if err != nil {
		return nil, nil // Node warns and goes on
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	pool.AppendCertsFromPEM(data)
	return pool, nil
}

func (c *Config) listAt(layer Layer, key string) []string {
	only := Config{}
	only.sets[layer] = c.sets[layer]
	return only.List(key)
}

// Proxy gives the proxy for an address, or nil for a direct connection. The
// settings https-proxy and proxy come first, for every address; without them
// HTTPS_PROXY counts, and for plain http addresses also HTTP_PROXY and PROXY,
// in any case. noproxy, or NO_PROXY, lists hosts and domains to reach directly;
// "*" means all.
func (c *Config) Proxy(u *url.URL) (*url.URL, error) {
	proxy, from := "", ""
	for _, key := range []string{"https-proxy", "proxy"} {
		v, _ := c.Value(key)
		if s, _ := v.Str(); s != "" && s != "null" && s != "false" {
			proxy, from = s, "the setting "+key
			break
		}
	}
	if proxy == "" {
		names := []string{"https_proxy"}
		if u.Scheme != "https" {
			names = append(names, "http_proxy", "proxy")
		}
		for _, name := range names {
			if proxy = c.anyCase(name); proxy != "" {
				from = strings.ToUpper(name)
				break
			}
		}
	}
	if proxy == "" || c.bypassed(u.Hostname()) {
		return nil, nil
	}
	if !strings.Contains(proxy, "://") {
		proxy = "http://" + proxy
	}
	p, err := url.Parse(proxy)
	if err != nil || p.Host == "" {
		return nil, fmt.Errorf("read proxy of %s: not an address", from)
	}
	switch p.Scheme {
	case "http", "https", "socks5", "socks5h":
		return p, nil
	case "socks":
		p.Scheme = "socks5"
		return p, nil
	}
	return nil, fmt.Errorf("read proxy of %s: scheme %q is not supported", from, p.Scheme)
}

// anyCase reads a variable whose name may be written in any case; lower case
// is asked first.
func (c *Config) anyCase(name string) string {
	if v := c.env[name]; v != "" {
		return v
	}
	if v := c.env[strings.ToUpper(name)]; v != "" {
		return v
	}
	for key, v := range c.env {
		if strings.EqualFold(key, name) && v != "" {
			return v
		}
	}
	return ""
}

func (c *Config) bypassed(host string) bool {
	entries := strings.Split(strings.Join(c.List("noproxy"), ","), ",")
	if len(c.List("noproxy")) == 0 {
		entries = strings.Split(c.anyCase("no_proxy"), ",")
	}
	host = strings.ToLower(host)
	for _, entry := range entries {
		entry = strings.ToLower(strings.Trim(trimJS(entry), "."))
		if entry == "" {
			continue
		}
		if entry == "*" || host == entry || strings.HasSuffix(host, "."+entry) {
			return true
		}
	}
	return false
}
