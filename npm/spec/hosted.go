package spec

import (
	"slices"
	"strings"
)

// Form is a way to write the address of a hosted repository.
type Form string

// The forms; what is returned for a host that lacks one is "".
const (
	FormShortcut Form = "shortcut" // github:user/project
	FormSSHURL   Form = "sshurl"   // git+ssh://git@github.com/user/project.git
	FormSSH      Form = "ssh"      // git@github.com:user/project.git
	FormHTTPS    Form = "https"    // git+https://github.com/user/project.git
	FormGit      Form = "git"      // git://github.com/user/project.git
)

// Hosted is a repository at a known git host.
type Hosted struct {
	Host       Host
	User       string // "" for a gist without one; may hold slashes at GitLab
	Project    string
	Committish string // what follows '#', decoded; "" for none
	Auth       string // "user:password" of the address, percent-encoded; "" for none
	Default    Form   // the form the address was written in ("http" has none of its own)
}

// maxHostedLength is how many bytes an address may have that is looked at.
const maxHostedLength = 64 << 10

// ParseHosted reads the address of a repository at one of the known hosts: a shortcut, a bare "user/project" (GitHub),
// a URL or an scp-like path. ok is false where s is something else.
func ParseHosted(s string) (h *Hosted, ok bool) {
	if s == "" || len(s) > maxHostedLength || !strings.ContainsAny(s, ":/") {
		return nil, false
	}
	if isShorthand(s) {
		s = string(GitHub) + ":" + s
	}
	u, ok := parseGitAddress(s)
	if !ok {
		return nil, false
	}
	if rules := rulesByHost(Host(u.scheme)); rules != nil {
		return fromShortcut(rules.host, u)
	}
	if rules := rulesByDomain(strings.TrimPrefix(u.host, "www.")); rules != nil && rules.understands(u.scheme) {
		return fromAddress(rules, u)
	}
	return nil, false
}

// isShorthand reports whether s is a bare "user/project", perhaps with '#' and a committish. The only slash may be in the latter.
func isShorthand(s string) bool {
	head, _, _ := strings.Cut(s, "#")
	return strings.IndexByte(s, '/') > 0 && strings.Count(head, "/") < 2 && !strings.HasSuffix(head, "/") &&
		!strings.HasPrefix(s, ".") && !strings.ContainsAny(head, "@:") && strings.IndexFunc(head, isSpace) < 0
}

// gitSchemes are the schemes before which nothing has to be repaired; the value is the form they stand for.
var gitSchemes = map[string]Form{
	"git+ssh": FormSSHURL, "ssh": FormSSHURL, "git+https": FormHTTPS,
	"git": "git", "http": "http", "https": FormHTTPS, "git+http": "git+http",
}

// parseGitAddress reads a URL, or something that becomes one by the repairs that git users expect.
func parseGitAddress(s string) (*address, bool) {
	s = repairScheme(s)
	if u, ok := parseAddress(s); ok {
		return u, true
	}
	return parseAddress(repairPath(s))
}

// repairScheme completes "git:github.com/a/b" and adds the scheme that "user:password@host/a" lacks.
func repairScheme(s string) string {
	colon := strings.IndexByte(s, ':')
	scheme := s[:max(colon, 0)]
	_, git := gitSchemes[scheme]
	if colon >= 0 && (git || rulesByHost(Host(scheme)) != nil || strings.HasPrefix(s[colon:], "://")) {
		return s
	}
	switch at := strings.IndexByte(s, '@'); {
	case at > colon:
		return "git+ssh://" + s
	case at >= 0:
		return s
	}
	return s[:colon+1] + "//" + s[colon+1:]
}

// repairPath turns the colon of an scp-like path into a slash, and adds a scheme where there is none.
func repairPath(s string) string {
	end := len(s)
	if hash := strings.IndexByte(s, '#'); hash >= 0 {
		end = hash
	}
	colon := strings.LastIndexByte(s[:end], ':')
	if colon > strings.LastIndexByte(s[:end], '@') {
		s = s[:colon] + "/" + s[colon+1:]
		colon = strings.LastIndexByte(s[:end], ':')
	}
	if colon < 0 && !strings.Contains(s, "//") {
		s = "git+ssh://" + s
	}
	return s
}

func fromShortcut(host Host, u *address) (*Hosted, bool) {
	path := strings.TrimPrefix(u.path, "/")
	if at := strings.IndexByte(path, '@'); at >= 0 {
		path = path[at+1:] // credentials are of no use in a shortcut
	}
	slash := strings.LastIndexByte(path, '/')
	return newHosted(host, "", FormShortcut, repoParts{path[:max(slash, 0)], path[slash+1:], u.hash()}, true)
}

func fromAddress(rules *hostRules, u *address) (*Hosted, bool) {
	parts, ok := rules.split(u)
	if !ok {
		return nil, false
	}
	auth := u.username
	if u.password != "" {
		auth += ":" + u.password
	}
	if u.scheme == "ssh" || u.scheme == "git+ssh" {
		auth = ""
	}
	return newHosted(rules.host, auth, gitSchemes[u.scheme], parts, false)
}

// newHosted decodes the parts; ok is false where they cannot be.
func newHosted(host Host, auth string, form Form, p repoParts, trimGit bool) (*Hosted, bool) {
	user, ok1 := decodeURIComponent(p.user)
	project, ok2 := decodeURIComponent(p.project)
	committish, ok3 := decodeURIComponent(p.committish)
	if !ok1 || !ok2 || !ok3 {
		return nil, false
	}
	if trimGit {
		project = strings.TrimSuffix(project, ".git")
	}
	return &Hosted{Host: host, User: user, Project: project, Committish: committish, Auth: auth, Default: form}, true
}

// name returns the path of the repository at its host.
func (h *Hosted) name() string {
	switch {
	case h.Host == Gist:
		return h.Project
	case h.User == "":
		return "null/" + h.Project // so npm writes what has no user where it expects one
	}
	return h.User + "/" + h.Project
}

// Address returns the repository's address in a form; "" where the host has no such form. The fragment is included.
func (h *Hosted) Address(form Form) string {
	rules := rulesByHost(h.Host)
	name := h.name()
	auth := ""
	if h.Auth != "" {
		auth = h.Auth + "@"
	}
	var s string
	switch form {
	case FormShortcut:
		s = string(h.Host) + ":" + name
	case FormSSHURL:
		s = "git+ssh://git@" + rules.domain + "/" + name + ".git"
	case FormSSH:
		s = "git@" + rules.domain + ":" + name + ".git"
	case FormHTTPS:
		switch h.Host {
		case SourceHut:
			s = "https://" + rules.domain + "/" + name
		case Gist:
			s = "git+https://" + rules.domain + "/" + name + ".git"
		default:
			s = "git+https://" + auth + rules.domain + "/" + name + ".git"
		}
	case FormGit:
		if !slices.Contains(rules.protocols, "git") {
			return ""
		}
		if h.Host == Gist {
			auth = ""
		}
		s = "git://" + auth + rules.domain + "/" + name + ".git"
	default:
		return ""
	}
	if h.Committish != "" {
		s += "#" + h.Committish
	}
	return s
}

// Tarball returns the address of an archive of the committish, or of the default branch.
func (h *Hosted) Tarball() string {
	rules := rulesByHost(h.Host)
	commit := "HEAD"
	if h.Committish != "" {
		commit = encodeURIComponent(h.Committish)
	}
	name := h.name()
	switch h.Host {
	case GitHub:
		return "https://codeload." + rules.domain + "/" + name + "/tar.gz/" + commit
	case Bitbucket:
		return "https://" + rules.domain + "/" + name + "/get/" + commit + ".tar.gz"
	case GitLab:
		return "https://" + rules.domain + "/api/v4/projects/" + encodeURIComponent(name) + "/repository/archive.tar.gz?sha=" + commit
	case Gist:
		return "https://codeload.github.com/gist/" + name + "/tar.gz/" + commit
	}
	return "https://" + rules.domain + "/" + name + "/archive/" + commit + ".tar.gz"
}

// String returns the address in the form it was written in.
func (h *Hosted) String() string {
	switch h.Default {
	case FormShortcut, FormSSHURL, FormHTTPS, FormGit:
		return h.Address(h.Default)
	}
	return h.Address(FormSSHURL)
}

// cloneAddress is String without fragment and without the "git+" that only npm understands.
func (h *Hosted) cloneAddress() string {
	bare := *h
	bare.Committish = ""
	return strings.TrimPrefix(bare.String(), "git+")
}
