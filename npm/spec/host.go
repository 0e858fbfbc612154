package spec

import "strings"

// Host is a git host that has a short name: "github", "gitlab", "bitbucket", "gist" or "sourcehut".
type Host string

// The hosts that npm knows.
const (
	GitHub    Host = "github"
	GitLab    Host = "gitlab"
	Bitbucket Host = "bitbucket"
	Gist      Host = "gist"
	SourceHut Host = "sourcehut"
)

// hostRules are what differs from one host to another.
type hostRules struct {
	host      Host
	domain    string
	protocols []string // schemes of full addresses that are understood
	// split finds user, project and committish in a full address; ok is false where it is none of a repository.
	split func(u *address) (p repoParts, ok bool)
}

// repoParts are the parts of an address, still percent-encoded.
type repoParts struct{ user, project, committish string }

var hostTable = []hostRules{
	{GitHub, "github.com", []string{"git", "http", "git+ssh", "git+https", "ssh", "https"}, splitGitHub},
	{Bitbucket, "bitbucket.org", []string{"git+ssh", "git+https", "ssh", "https"}, splitBitbucket},
	{GitLab, "gitlab.com", []string{"git+ssh", "git+https", "ssh", "https"}, splitGitLab},
	{Gist, "gist.github.com", []string{"git", "git+ssh", "git+https", "ssh", "https"}, splitGist},
	{SourceHut, "git.sr.ht", []string{"git+ssh", "https"}, splitSourceHut},
}

func rulesByHost(h Host) *hostRules {
	for i := range hostTable {
		if hostTable[i].host == h {
			return &hostTable[i]
		}
	}
	return nil
}

func rulesByDomain(domain string) *hostRules {
	for i := range hostTable {
		if hostTable[i].domain == domain {
			return &hostTable[i]
		}
	}
	return nil
}

func (r *hostRules) understands(scheme string) bool {
	for _, p := range r.protocols {
		if p == scheme {
			return true
		}
	}
	return false
}

// segment returns the i-th part of a path between slashes, counted from 0 after the leading slash.
func segment(path string, i int) string {
	path = strings.TrimPrefix(path, "/")
	for ; i > 0; i-- {
		_, rest, more := strings.Cut(path, "/")
		if !more {
			return ""
		}
		path = rest
	}
	part, _, _ := strings.Cut(path, "/")
	return part
}

func splitGitHub(u *address) (p repoParts, ok bool) {
	p = repoParts{segment(u.path, 0), strings.TrimSuffix(segment(u.path, 1), ".git"), u.hash()}
	switch segment(u.path, 2) {
	case "":
	case "tree":
		if p.committish = segment(u.path, 3); strings.Count(u.path, "/") < 4 {
			p.committish = "undefined" // so npm reads ".../tree" without a name after it
		}
	default:
		return p, false
	}
	return p, p.user != "" && p.project != ""
}

func splitBitbucket(u *address) (p repoParts, ok bool) {
	p = repoParts{segment(u.path, 0), strings.TrimSuffix(segment(u.path, 1), ".git"), u.hash()}
	return p, p.user != "" && p.project != "" && segment(u.path, 2) != "get"
}

func splitSourceHut(u *address) (p repoParts, ok bool) {
	p = repoParts{segment(u.path, 0), strings.TrimSuffix(segment(u.path, 1), ".git"), u.hash()}
	return p, p.user != "" && p.project != "" && segment(u.path, 2) != "archive"
}

func splitGitLab(u *address) (p repoParts, ok bool) {
	path := strings.TrimPrefix(u.path, "/")
	if strings.Contains(path, "/-/") || strings.Contains(path, "/archive.tar.gz") {
		return p, false
	}
	last := strings.LastIndexByte(path, '/')
	p.project = strings.TrimSuffix(path[last+1:], ".git")
	p.user = path[:max(last, 0)] // groups may be nested
	p.committish = u.hash()
	return p, p.user != "" && p.project != ""
}

func splitGist(u *address) (p repoParts, ok bool) {
	p = repoParts{segment(u.path, 0), segment(u.path, 1), u.hash()}
	if segment(u.path, 2) == "raw" {
		return p, false
	}
	if p.project == "" {
		p.user, p.project = "", p.user
	}
	if p.project == "" {
		return p, false
	}
	p.project = strings.TrimSuffix(p.project, ".git")
	return p, true
}
