package npmrc

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// Auth is what a request to one address may carry. The zero value is nothing.
type Auth struct {
	// Header is the Authorization header's value, "Bearer …" or "Basic …";
	// "" where there is none.
	Header string
	// CertFile and KeyFile name PEM files of a client certificate; both or
	// neither.
	CertFile, KeyFile string
	// Key is the place in the settings that decided, such as
	// "//host:4873/path/"; "" where none did.
	Key string
	// ElsewhereKey is set where nothing may be sent to this address while the
	// registry of the package's scope, on another host, has credentials: the
	// likely cause of a 401 or 403.
	ElsewhereKey string
}

// AuthFor gives the Authorization header for an address of the default
// registry or of any place that has credentials of its own.
func (c *Config) AuthFor(address string) (header string, ok bool) {
	a := c.Auth(address, "")
	return a.Header, a.Header != ""
}

// Auth finds the credentials for an address. Keys are tried from the whole
// path up to the host ("//host/a/b", "//host/a/", "//host/a", "//host/",
// "//host"), the first that has a token, a user with a password, or a client
// certificate decides. Where none does and the address is on the same host and
// port as the registry of pkg (a package's name, or "" for none), the
// registry's own credentials count. A credential whose variable is not set
// counts as absent.
func (c *Config) Auth(address, pkg string) Auth {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return Auth{}
	}
	if key := c.authKey(u); key != "" {
		return c.authAt(key)
	}
	registry := c.RegistryFor(pkg)
	r, err := url.Parse(registry)
	if err != nil || r.Host == "" {
		return Auth{}
	}
	key := c.authKey(r)
	if hostOf(u) == hostOf(r) {
		if key == "" {
			return Auth{}
		}
		return c.authAt(key)
	}
	return Auth{ElsewhereKey: key}
}

// hostOf gives host and port in lower case, the scheme's own port left out.
func hostOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "https":
		host = strings.TrimSuffix(host, ":443")
	case "http":
		host = strings.TrimSuffix(host, ":80")
	}
	return strings.TrimSuffix(host, ":")
}

func (c *Config) authKey(u *url.URL) string {
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	key := "//" + hostOf(u) + path
	for len(key) > len("//") {
		if c.hasAuth(key) {
			return key
		}
		if strings.HasSuffix(key, "/") {
			key = key[:len(key)-1]
		} else {
			key = key[:strings.LastIndexByte(key, '/')+1]
		}
	}
	return ""
}

func (c *Config) hasAuth(key string) bool {
	return c.credential(key, "_authToken") != "" ||
		c.credential(key, "_auth") != "" ||
		c.credential(key, "username") != "" && c.credential(key, "_password") != "" ||
		c.credential(key, "certfile") != "" && c.credential(key, "keyfile") != ""
}

// credential reads "//host/path/:name". A line break would smuggle in a
// header, a reference to an unset variable is no secret: both count as absent.
func (c *Config) credential(key, name string) string {
	v, _ := c.Value(key + ":" + name)
	if !v.Truthy() {
		return ""
	}
	s := jsText(v)
	if strings.ContainsAny(s, "\r\n\x00") {
		return ""
	}
	if at := strings.Index(s, "${"); at >= 0 {
		if _, _, size := reference(s[at:]); size > 0 {
			return ""
		}
	}
	return s
}

func (c *Config) authAt(key string) Auth {
	a := Auth{Key: key}
	user, password := c.credential(key, "username"), c.credential(key, "_password")
	switch token, auth := c.credential(key, "_authToken"), c.credential(key, "_auth"); {
	case token != "":
		a.Header = "Bearer " + token
	case auth != "":
		a.Header = "Basic " + auth
	case user != "" && password != "":
		a.Header = "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+decodeLoosely(password)))
	}
	if cert, file := c.credential(key, "certfile"), c.credential(key, "keyfile"); cert != "" && file != "" {
		paths := fields{dir: c.dir, home: c.home}
		a.CertFile, a.KeyFile = paths.path(cert), paths.path(file)
	}
	return a
}

// decodeLoosely decodes base64 as Node does: of both alphabets, with or without
// padding, what is foreign passed over.
func decodeLoosely(s string) string {
	s, _, _ = strings.Cut(s, "=")
	clean := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '+', r == '/':
			return r
		case r == '-':
			return '+'
		case r == '_':
			return '/'
		}
		return -1
	}, s)
	if len(clean)%4 == 1 {
		clean = clean[:len(clean)-1]
	}
	raw, err := base64.RawStdEncoding.DecodeString(clean)
	if err != nil {
		return ""
	}
	return string(raw)
}
