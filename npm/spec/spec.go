package spec

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"weft/npm/semver"
)

// Conditions that make a spec unreadable.
var (
	ErrName     = errors.New("invalid package name")
	ErrTag      = errors.New("invalid tag name")
	ErrProtocol = errors.New("unsupported URL type")
	ErrURL      = errors.New("invalid URL")
	ErrAlias    = errors.New("invalid alias")
	ErrGit      = errors.New("invalid git reference")
	ErrTooLong  = errors.New("spec too long")
)

// MaxLength is the longest spec in bytes that is read. npm has no such limit.
const MaxLength = 64 << 10

// Type is the kind of thing that a spec asks for.
type Type uint8

// The types. Version, Range, Tag and Alias are answered by a registry.
const (
	Version   Type = iota // exactly one version
	Range                 // a range of versions
	Tag                   // a dist-tag
	Alias                 // a package of the registry under another name: Sub says which
	Git                   // a git repository
	Remote                // a tarball at an http or https address
	File                  // a tarball in the file system
	Directory             // a folder in the file system
)

// String returns npm's word for the type.
func (t Type) String() string {
	words := [...]string{"version", "range", "tag", "alias", "git", "remote", "file", "directory"}
	if int(t) < len(words) {
		return words[t]
	}
	return "unknown"
}

// Spec is a parsed spec.
type Spec struct {
	Type    Type
	Raw     string // what was parsed, "name@spec" where both were given apart
	Name    string // "" where the spec does not say, as a URL typed by a person
	RawSpec string // the part after the name; "*" where a person typed none
	// FetchSpec is what to ask for: version, range or tag (trimmed); the folder's or file's absolute path; the
	// address of tarball or repository, "" for a hosted repository that was given as a shortcut.
	FetchSpec string
	// SaveSpec is what belongs into a manifest; "" for registry specs, which are saved by the version found.
	SaveSpec string
	// Where is the folder that a file spec was relative to.
	Where string
	// Sub is the spec behind an alias.
	Sub *Spec

	// Hosted is the repository where it is at a known git host.
	Hosted *Hosted
	// GitCommittish is the branch, tag or commit; GitRange a range that tags are to satisfy; GitSubdir a folder in
	// the repository, with a leading slash. "" for none.
	GitCommittish, GitRange, GitSubdir string
}

// Registry reports whether a registry answers the spec.
func (s *Spec) Registry() bool { return s.Type <= Alias }

// Scope returns the scope of the name with its '@', "" for none.
func (s *Spec) Scope() string {
	if !strings.HasPrefix(s.Name, "@") {
		return ""
	}
	scope, _, _ := strings.Cut(s.Name, "/")
	return scope
}

// EscapedName returns the name as registries want it in a URL path: "@scope%2fbase".
func (s *Spec) EscapedName() string { return strings.Replace(s.Name, "/", "%2f", 1) }

// String returns "name@spec", with the spec as it would be saved where it has such a form.
func (s *Spec) String() string {
	spec := s.SaveSpec
	if spec == "" {
		spec = s.FetchSpec
	}
	if spec == "" {
		spec = s.RawSpec
	}
	switch {
	case s.Name == "" && spec == "":
		return s.Raw
	case spec == "":
		return s.Name
	case s.Name == "":
		return spec
	}
	return s.Name + "@" + spec
}

// Parse reads what a person types: a name, "name@spec", or a spec alone. Relative paths are taken from where, or from the
// working directory if that is "". Its errors wrap ErrName, ErrTag, ErrProtocol, ErrURL, ErrAlias, ErrGit or ErrTooLong.
func Parse(arg, where string) (Spec, error) {
	name, rawSpec := "", arg
	nameEnd := -1
	if len(arg) > 1 {
		if i := strings.IndexByte(arg[1:], '@'); i >= 0 {
			nameEnd = i + 1
		}
	}
	namePart := arg
	if nameEnd > 0 {
		namePart = arg[:nameEnd]
	}
	switch {
	case isURL(arg):
	case isSCP(arg):
		rawSpec = "git+ssh://" + arg
	case !strings.HasPrefix(namePart, "@") && (hasSlash(namePart) || isTarballName(namePart)):
	case nameEnd > 0:
		name, rawSpec = namePart, arg[nameEnd+1:]
		if rawSpec == "" {
			rawSpec = "*"
		}
	case UsableName(arg):
		name, rawSpec = arg, "*"
	}
	return parse(name, rawSpec, arg, where)
}

// Resolve reads the spec of a dependency whose name is known; name may be "". Paths and errors are as with Parse.
func Resolve(name, rawSpec, where string) (Spec, error) {
	raw := rawSpec
	if name != "" {
		raw = name + "@" + rawSpec
	}
	return parse(name, rawSpec, raw, where)
}

func parse(name, rawSpec, raw, where string) (Spec, error) {
	s := Spec{Raw: raw, Name: name, RawSpec: rawSpec}
	if err := s.read(where); err != nil {
		return Spec{}, fmt.Errorf("parse spec %q: %w", clip(raw), err)
	}
	return s, nil
}

// clip shortens foreign text for a message.
func clip(s string) string {
	const most = 256
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}

func (s *Spec) read(where string) error {
	if len(s.Raw) > MaxLength {
		return ErrTooLong
	}
	if s.Name != "" && !UsableName(s.Name) {
		return fmt.Errorf("%w %q: %s", ErrName, s.Name, strings.Join(CheckName(s.Name).Errors, "; "))
	}
	spec := s.RawSpec
	switch {
	case isFileSpec(spec):
		return s.readFile(where)
	case hasPrefixFold(spec, "npm:"):
		return s.readAlias(where)
	}
	if h, ok := ParseHosted(spec); ok {
		return s.readHosted(h)
	}
	switch {
	case isURL(spec):
		return s.readURL()
	case hasSlash(spec), isTarballName(spec):
		return s.readFile(where)
	}
	return s.readRegistry()
}

func (s *Spec) readRegistry() error {
	s.FetchSpec = strings.TrimFunc(s.RawSpec, isSpace)
	loose := semver.Options{Loose: true}
	if semver.IsVersion(s.FetchSpec, loose) {
		s.Type = Version
	} else if semver.IsRange(s.FetchSpec, loose) {
		s.Type = Range
	} else if uriSafe(s.FetchSpec) {
		s.Type = Tag
	} else {
		return fmt.Errorf("%w %q: it has characters that URLs must escape", ErrTag, clip(s.FetchSpec))
	}
	return nil
}

func (s *Spec) readAlias(where string) error {
	sub, err := Parse(s.RawSpec[len("npm:"):], where)
	switch {
	case err != nil:
		return err
	case sub.Type == Alias:
		return fmt.Errorf("%w: an alias of an alias", ErrAlias)
	case !sub.Registry():
		return fmt.Errorf("%w: %q is not answered by a registry", ErrAlias, sub.Raw)
	case sub.Name == "":
		return fmt.Errorf("%w: it has no name", ErrAlias)
	}
	s.Type, s.Sub = Alias, &sub
	return nil
}

// workingDirectory returns where, or the process's folder if that is "".
func workingDirectory(where string) (string, error) {
	if where != "" {
		return where, nil
	}
	return os.Getwd()
}

// isURL reports whether s begins with a scheme of letters, perhaps with "git+" before it.
func isURL(s string) bool {
	if hasPrefixFold(s, "git+") {
		s = s[len("git+"):]
	}
	for i := 0; i < len(s); i++ {
		b := s[i] | 0x20
		if s[i] == ':' {
			return i > 0
		}
		if b < 'a' || b > 'z' {
			return false
		}
	}
	return false
}

// isSCP reports whether s is a path as scp takes it, "user@host.domain:path", which git reads as ssh.
func isSCP(s string) bool {
	at := strings.IndexByte(s, '@')
	if at < 1 {
		return false
	}
	host := s[at+1:]
	i := strings.IndexAny(host, ":.")
	if i < 1 || host[i] != '.' {
		return false
	}
	colon := strings.IndexByte(host[i+1:], ':')
	if colon < 1 {
		return false
	}
	path := host[i+1+colon+1:]
	return path != "" && !strings.ContainsAny(path, "\n\r\u2028\u2029")
}

// isTarballName reports whether s ends like the name of a tarball.
func isTarballName(s string) bool {
	return hasSuffixFold(s, ".tgz") || hasSuffixFold(s, ".tar.gz") || hasSuffixFold(s, ".tar")
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}
