package spec

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"
)

// address is a URL as browsers and Node read it (https://url.spec.whatwg.org), which differs from RFC 3986 and net/url in
// what it lets pass and how it normalises. Base URLs are not needed here and not supported. Hosts of http and the like are
// lower-cased but not otherwise checked: neither IDNA nor odd IPv4 spellings matter to what this package asks.
type address struct {
	scheme             string // lower case, without its colon
	username, password string // percent-encoded
	host, port         string
	path               string
	query, fragment    string // with their '?' and '#', or ""
	hasHost            bool   // false for "github:a/b" and "git:/a"
}

// defaultPorts has the schemes that the standard calls special, with the port that they leave out.
var defaultPorts = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21", "file": ""}

// parseAddress reads an absolute URL.
func parseAddress(s string) (u *address, ok bool) {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	if strings.ContainsAny(s, "\t\n\r") {
		s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	}
	n := schemeLength(s)
	if n == 0 {
		return nil, false
	}
	u = &address{scheme: strings.ToLower(s[:n])}
	_, special := defaultPorts[u.scheme]
	rest := u.cutTail(s[n+1:], special)
	slashes := "/"
	switch {
	case special:
		slashes = `/\`
		rest = strings.TrimLeft(rest, slashes)
		u.hasHost = true
	case strings.HasPrefix(rest, "//"):
		rest = rest[2:]
		u.hasHost = true
	case !strings.HasPrefix(rest, "/"):
		u.path = percentEncode(rest, controlSet) // an opaque path: kept as it is
		return u, true
	}
	if u.hasHost {
		end := strings.IndexAny(rest, slashes)
		if end < 0 {
			end = len(rest)
		}
		if !u.parseAuthority(rest[:end], special) {
			return nil, false
		}
		rest = rest[end:]
	}
	u.parsePath(rest, special)
	return u, true
}

// schemeLength returns the length of the scheme before the first colon; 0 where there is none.
func schemeLength(s string) int {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z':
		case i > 0 && (b >= '0' && b <= '9' || b == '+' || b == '-' || b == '.'):
		case b == ':':
			return i
		default:
			return 0
		}
	}
	return 0
}

// cutTail takes fragment and query off the text after the scheme.
func (u *address) cutTail(s string, special bool) (rest string) {
	if i := strings.IndexByte(s, '#'); i >= 0 {
		if i < len(s)-1 {
			u.fragment = "#" + percentEncode(s[i+1:], fragmentSet)
		}
		s = s[:i]
	}
	if i := strings.IndexByte(s, '?'); i >= 0 {
		set := querySet
		if special {
			set = specialQuerySet
		}
		u.query = percentEncode(s[i:], set)
		s = s[:i]
	}
	return s
}

// parseAuthority reads user, password, host and port.
func (u *address) parseAuthority(s string, special bool) bool {
	if at := strings.LastIndexByte(s, '@'); at >= 0 {
		user, password, _ := strings.Cut(s[:at], ":")
		u.username = percentEncode(user, userSet)
		u.password = percentEncode(password, userSet)
		if s = s[at+1:]; s == "" {
			return false
		}
	}
	host, port := s, ""
	if i := portColon(s); i >= 0 {
		host, port = s[:i], s[i+1:]
		if host == "" || !u.setPort(port) {
			return false
		}
	}
	if host == "" {
		return !special
	}
	return u.setHost(host, special)
}

// portColon returns the index of the colon before the port, -1 where there is none. Colons in brackets do not count.
func portColon(s string) int {
	start := 0
	if strings.HasPrefix(s, "[") {
		if start = strings.IndexByte(s, ']'); start < 0 {
			return -1
		}
	}
	i := strings.IndexByte(s[start:], ':')
	if i < 0 {
		return -1
	}
	return start + i
}

func (u *address) setPort(s string) bool {
	if s == "" {
		return true
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil {
		return false
	}
	if s = strconv.FormatUint(n, 10); s != defaultPorts[u.scheme] {
		u.port = s
	}
	return true
}

func (u *address) setHost(s string, special bool) bool {
	if s[0] == '[' {
		ip, err := netip.ParseAddr(strings.TrimSuffix(s[1:], "]"))
		if err != nil || !ip.Is6() || ip.Zone() != "" || s[len(s)-1] != ']' {
			return false
		}
		u.host = "[" + ip.String() + "]"
		return true
	}
	forbidden := "\x00\t\n\r #/:<>?@[\\]^|"
	if special {
		forbidden += "%\x7f\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f"
		if s = unescapeLoosely(s); !utf8.ValidString(s) || strings.IndexFunc(s, isSpace) >= 0 {
			return false
		}
		s = strings.ToLower(s)
	}
	if s == "" || strings.ContainsAny(s, forbidden) {
		return false
	}
	u.host = s
	if !special {
		u.host = percentEncode(s, controlSet)
	}
	return true
}

// unescapeLoosely decodes the well-formed escapes of s and leaves others.
func unescapeLoosely(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' {
			if b, ok := escapedByte(s, i); ok {
				out = append(out, b)
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// parsePath normalises the path: dot segments are resolved, and backslashes are slashes to special schemes.
func (u *address) parsePath(s string, special bool) {
	if special {
		s = strings.ReplaceAll(s, `\`, "/")
	}
	if s == "" {
		if special {
			u.path = "/"
		}
		return
	}
	var out []string
	segments := strings.Split(s[1:], "/")
	for i, segment := range segments {
		last := i == len(segments)-1
		switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
		case "..":
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
			if last {
				out = append(out, "")
			}
		case ".":
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, percentEncode(segment, pathSet))
		}
	}
	u.path = "/" + strings.Join(out, "/")
	if len(out) == 0 {
		u.path = ""
	}
}

// String returns the URL without its fragment.
func (u *address) String() string {
	var b strings.Builder
	b.WriteString(u.scheme)
	b.WriteByte(':')
	if u.hasHost {
		b.WriteString("//")
		if u.username != "" || u.password != "" {
			b.WriteString(u.username)
			if u.password != "" {
				b.WriteString(":" + u.password)
			}
			b.WriteByte('@')
		}
		b.WriteString(u.host)
		if u.port != "" {
			b.WriteString(":" + u.port)
		}
	} else if strings.HasPrefix(u.path, "//") {
		b.WriteString("/.")
	}
	b.WriteString(u.path)
	b.WriteString(u.query)
	return b.String()
}

// hash returns the fragment without its '#'.
func (u *address) hash() string {
	return strings.TrimPrefix(u.fragment, "#")
}

// The percent-encode sets of the standard, as Node 20 has them.
func controlSet(b byte) bool  { return b < ' ' || b > '~' }
func fragmentSet(b byte) bool { return controlSet(b) || strings.IndexByte(" \"<>`", b) >= 0 }
func querySet(b byte) bool    { return controlSet(b) || strings.IndexByte(" \"#<>", b) >= 0 }
func pathSet(b byte) bool     { return querySet(b) || strings.IndexByte("?`{}", b) >= 0 }
func userSet(b byte) bool     { return pathSet(b) || strings.IndexByte("/:;=@[\\]^|", b) >= 0 }

func specialQuerySet(b byte) bool { return querySet(b) || b == '\'' }
