package npmrc

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"weft/internal/jsonval"
)

// Omit lists the kinds of dependencies ("dev", "optional", "peer") that are
// not put on disk, from omit and include and the older spellings production,
// only, also, dev and optional. Layers are taken in turn, as npm does it: a
// layer that says something of the kind starts from what the ones below left.
func (c *Config) Omit() []string {
	var omit, include []string
	inherited := map[string]jsonval.Value{}
	for _, set := range c.sets {
		touched := false
		for _, key := range []string{"omit", "include", "also", "dev", "only", "optional", "production"} {
			s, found := set[key]
			if !found {
				continue
			}
			touched = true
			inherited[key] = s.value
			switch key {
			case "omit":
				omit = words(s.value)
			case "include":
				include = words(s.value)
			}
		}
		if touched {
			omit, include = omitList(omit, include, inherited)
		}
	}
	return omit
}

func omitList(omit, include []string, settings map[string]jsonval.Value) (o, i []string) {
	omit, include = slices.Clone(omit), slices.Clone(include)
	only, _ := settings["only"].Str()
	production := settings["production"]
	switch {
	case only == "prod" || only == "production" || !production.IsNull() && isOn(production):
		omit = append(omit, "dev")
	case !production.IsNull():
		include = append(include, "dev")
	}
	also, _ := settings["also"].Str()
	if strings.HasPrefix(also, "dev") || isOn(settings["dev"]) {
		include = append(include, "dev")
	}
	switch optional := settings["optional"]; {
	case optional.IsNull():
	case isOn(optional):
		include = append(include, "optional")
	default:
		omit = append(omit, "optional")
	}
	for _, word := range omit {
		if !slices.Contains(include, word) && !slices.Contains(o, word) {
			o = append(o, word)
		}
	}
	return o, include
}

func words(v jsonval.Value) []string {
	if s, ok := v.Str(); ok {
		return []string{s}
	}
	var out []string
	for _, elem := range v.Elems() {
		out = append(out, jsText(elem))
	}
	return out
}

// Before gives the moment after which published versions do not count, from
// before or min-release-age (days); the zero time where there is none. In one
// layer before wins over min-release-age, a stronger layer over a weaker one,
// and a min-release-age of 0 lifts what weaker layers asked for. A date that
// cannot be read is an error, since going on would install what was to be kept
// out.
func (c *Config) Before(now time.Time) (time.Time, error) {
	for layer := layers - 1; layer >= 0; layer-- {
		s, found := c.sets[layer]["before"]
		if found && (!s.value.IsNull() || Layer(layer) != Default) {
			if s.value.IsNull() {
				return time.Time{}, nil
			}
			when, err := ParseDate(jsText(s.value))
			if err != nil {
				return time.Time{}, fmt.Errorf("setting before of %s: %w", c.sources[layer], err)
			}
			return when, nil
		}
		s, found = c.sets[layer]["min-release-age"]
		if !found || s.value.IsNull() {
			continue
		}
		days, ok := s.value.Num()
		if !ok || days < 0 || days > 365*1000 {
			return time.Time{}, fmt.Errorf("setting min-release-age of %s: %q is not a number of days", c.sources[layer], jsText(s.value))
		}
		if days == 0 {
			return time.Time{}, nil
		}
		return now.Add(-time.Duration(days * 24 * float64(time.Hour))), nil
	}
	return time.Time{}, nil
}

// BeforeExempts reports whether min-release-age-exclude frees a package from
// [Config.Before]. Each entry holds names or patterns apart by commas; "*"
// stays within one part of a name, "**" does not.
func (c *Config) BeforeExempts(pkg string) bool {
	for _, entry := range c.List("min-release-age-exclude") {
		for pattern := range strings.SplitSeq(entry, ",") {
			pattern = trimJS(pattern)
			if pattern == "" || pkg == "" {
				continue
			}
			if pattern == pkg || matchSegments(strings.Split(pattern, "/"), strings.Split(pkg, "/")) {
				return true
			}
		}
	}
	return false
}

// InstallStrategy is "hoisted", "nested", "shallow" or "linked", the older
// spellings legacy-bundling and global-style included.
func (c *Config) InstallStrategy() string {
	strategy := ""
	for _, set := range c.sets {
		if s, found := set["install-strategy"]; found {
			strategy = jsText(s.value)
		}
		if s, found := set["global-style"]; found && isOn(s.value) {
			strategy = "shallow"
		}
		if s, found := set["legacy-bundling"]; found && isOn(s.value) {
			strategy = "nested"
		}
	}
	return strategy
}

// PackageLock tells whether a lockfile is read and written: package-lock, or
// shrinkwrap, its older name; package-lock-only implies it.
func (c *Config) PackageLock() bool {
	lock := true
	for _, set := range c.sets {
		if s, found := set["package-lock"]; found {
			lock = isOn(s.value)
		}
		if s, found := set["shrinkwrap"]; found {
			lock = isOn(s.value)
		}
	}
	return lock || c.Bool("package-lock-only")
}

// LockfileVersion is the version to write, 1 to 3, or 0 where nothing was
// asked for.
func (c *Config) LockfileVersion() int {
	v, _ := c.Value("lockfile-version")
	f, ok := parseNumber(jsText(v))
	if v.IsNull() || !ok || f < 1 || f > 3 {
		return 0
	}
	return int(f)
}

// SavePrefix is what stands before a version that is saved: "^", "~", or ""
// with save-exact.
func (c *Config) SavePrefix() string {
	if c.Bool("save-exact") {
		return ""
	}
	return c.Get("save-prefix")
}

// CacheMode tells when stored answers of a registry may be used.
type CacheMode int

const (
	// CacheNormal uses a stored answer as long as the registry called it
	// fresh and asks again afterwards.
	CacheNormal CacheMode = iota
	// CachePreferOnline asks every time.
	CachePreferOnline
	// CachePreferOffline uses a stored answer however old.
	CachePreferOffline
	// CacheOffline never asks.
	CacheOffline
)

// CacheMode reads offline, prefer-offline and prefer-online, the stronger
// first, and the older cache-min and cache-max.
func (c *Config) CacheMode() CacheMode {
	preferOnline, preferOffline := false, false
	for _, set := range c.sets {
		if s, found := set["cache-max"]; found {
			if f, ok := s.value.Num(); ok && f <= 0 {
				preferOnline = true
			}
		}
		if s, found := set["cache-min"]; found {
			if f, ok := s.value.Num(); ok && f >= 9999 {
				preferOffline = true
			}
		}
		if s, found := set["prefer-online"]; found {
			preferOnline = isOn(s.value)
		}
		if s, found := set["prefer-offline"]; found {
			preferOffline = isOn(s.value)
		}
	}
	switch {
	case c.Bool("offline"):
		return CacheOffline
	case preferOffline:
		return CachePreferOffline
	case preferOnline:
		return CachePreferOnline
	}
	return CacheNormal
}

// UserAgent fills in the template of the setting user-agent. platform and arch
// are Node's words (linux, x64); versions come with "v" where Node says so.
func (c *Config) UserAgent(npmVersion, nodeVersion, platform, arch string) string {
	workspaces := "false"
	if c.Bool("workspaces") || len(c.List("workspace")) > 0 {
		workspaces = "true"
	}
	agent := c.Get("user-agent")
	for _, field := range [][2]string{
		{"{node-version}", nodeVersion}, {"{npm-version}", npmVersion}, {"{platform}", platform},
		{"{arch}", arch}, {"{workspaces}", workspaces}, {"{ci}", ""},
	} {
		agent = strings.ReplaceAll(agent, field[0], field[1])
	}
	return trimJS(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, agent))
}
