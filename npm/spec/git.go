package spec

import (
	"fmt"
	"strings"
)

func (s *Spec) readHosted(h *Hosted) error {
	s.Type, s.Hosted = Git, h
	s.SaveSpec = h.String()
	if h.Default != FormShortcut {
		s.FetchSpec = h.cloneAddress()
	}
	return s.readCommittish(h.Committish)
}

// readURL reads a spec with a scheme that is no known git host: git over some protocol, or a tarball.
func (s *Spec) readURL() error {
	raw := s.RawSpec
	s.SaveSpec = raw
	if strings.HasPrefix(raw, "git+ssh:") {
		if path, committish, ok := cutSCP(raw); ok {
			s.Type, s.FetchSpec = Git, path
			return s.readCommittish(committish)
		}
	} else if strings.HasPrefix(raw, "git+file://") {
		raw = strings.ReplaceAll(raw, `\`, "/")
	}
	u, ok := parseAddress(raw)
	if !ok {
		return ErrURL
	}
	switch u.scheme {
	case "git", "git+http", "git+https", "git+rsync", "git+ftp", "git+file", "git+ssh":
		s.Type = Git
		s.FetchSpec = strings.TrimPrefix(u.String(), "git+")
		if drive := strings.TrimPrefix(raw, "git+file://"); u.scheme == "git+file" && drive != raw && hasDrive(drive) {
			s.FetchSpec = "file://" + strings.ToLower(u.hostPort()) + ":" + u.path
		}
		return s.readCommittish(u.hash())
	case "http", "https":
		s.Type, s.FetchSpec = Remote, s.SaveSpec
		return nil
	}
	return fmt.Errorf("%w %q", ErrProtocol, u.scheme+":")
}

// hostPort returns the host with its port.
func (u *address) hostPort() string {
	if u.port == "" {
		return u.host
	}
	return u.host + ":" + u.port
}

// cutSCP splits "git+ssh://user@host:path#committish", which looks like a URL and is none; ok is false
// where what follows the colon is a port.
func cutSCP(raw string) (path, committish string, ok bool) {
	const prefix = "git+ssh://"
	if !hasPrefixFold(raw, prefix) {
		return "", "", false
	}
	path, committish, _ = strings.Cut(raw[len(prefix):], "#")
	colon := strings.IndexByte(path, ':')
	if colon < 1 || colon == len(path)-1 || strings.ContainsAny(committish, "\n\r\u2028\u2029") || hasPort(path) {
		return "", "", false
	}
	return path, committish, true
}

// hasPort reports whether a colon is followed by digits up to a slash or the end.
func hasPort(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != ':' {
			continue
		}
		j := i + 1
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
		if j > i+1 && (j == len(s) || s[j] == '/') {
			return true
		}
	}
	return false
}

// readCommittish reads what follows '#' in a git spec: a committish, "semver:range" and "path:folder", joined by "::".
func (s *Spec) readCommittish(text string) error {
	if text == "" {
		return nil
	}
	for _, part := range strings.Split(text, "::") {
		key, value, named := strings.Cut(part, ":")
		value, _, _ = strings.Cut(value, ":")
		switch {
		case !named:
			if s.GitRange != "" || s.GitCommittish != "" {
				return fmt.Errorf("%w: %q follows another one", ErrGit, part)
			}
			s.GitCommittish = part
		case key == "semver":
			if s.GitRange != "" || s.GitCommittish != "" {
				return fmt.Errorf("%w: %q follows another one", ErrGit, part)
			}
			decoded, ok := decodeURIComponent(value)
			if !ok {
				return fmt.Errorf("%w: %q is badly escaped", ErrGit, part)
			}
			s.GitRange = decoded
		case key == "path":
			if s.GitSubdir != "" {
				return fmt.Errorf("%w: %q follows another path", ErrGit, part)
			}
			s.GitSubdir = "/" + value
		}
	}
	return nil
}
