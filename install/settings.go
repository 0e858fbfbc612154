package install

import (
	"fmt"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"weft/install/report"
	"weft/install/resolve"
	"weft/install/store"
	"weft/install/target"
	"weft/npm/npmrc"
)

// steering are the settings that decide what an install leaves behind. A change
// of one means that a finished install is no longer known to be right. (A
// registry's address is among them; its credentials are not.)
var steering = []string{
	"registry", "tag", "before", "min-release-age", "min-release-age-exclude", "legacy-peer-deps", "strict-peer-deps", "force",
	"engine-strict", "prefer-dedupe", "install-links", "package-lock", "lockfile-version", "format-package-lock",
	"omit-lockfile-registry-resolved", "bin-links", "replace-registry-host",
}

// fingerprint is the text of everything but files that steers an install. It is
// one line. The members of a project with workspaces are in it, since a new one is
// a change although no file that was read has changed.
func fingerprint(c *npmrc.Config, t target.Target, members []resolve.Workspace) string {
	var b strings.Builder
	fmt.Fprintf(&b, "node %s, %s-%s", t.NodeVersion, t.OS, t.CPU)
	if t.Libc != "" {
		fmt.Fprintf(&b, "-%s", t.Libc)
	}
	fmt.Fprintf(&b, ", omit %q, strategy %s", c.Omit(), c.InstallStrategy())
	for _, key := range steering {
		if !c.IsDefault(key) {
			fmt.Fprintf(&b, ", %s %q", key, c.Get(key))
		}
	}
	scopes := c.Scopes()
	names := make([]string, 0, len(scopes))
	for name := range scopes {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, ", %s %q", name, scopes[name])
	}
	for _, ws := range members {
		fmt.Fprintf(&b, ", workspace %q", ws.Dir)
	}
	return b.String()
}

// lookup reads a variable of an environment as os.Environ has it; the last one
// wins.
func lookup(env []string, name string) string {
	value := ""
	for _, line := range env {
		if k, v, ok := strings.Cut(line, "="); ok && k == name {
			value = v
		}
	}
	return value
}

// folders are where an install keeps what outlives it.
type folders struct {
	store string // unpacked packages
	cache string // metadata, and the locks of projects
}

// findFolders takes the options, then the settings store-dir and cache (of npm's
// cache folder one of weft's own), then the user's own folders.
func findFolders(o Options, c *npmrc.Config) (folders, error) {
	home := home(o.Env)
	f := folders{store: o.StoreDir, cache: o.CacheDir}
	if f.store == "" {
		f.store = c.Get("store-dir")
	}
	if f.store == "" {
		f.store = store.DefaultDir(func(name string) string { return lookup(o.Env, name) }, home)
		if !filepath.IsAbs(f.store) {
			return f, errNoHome
		}
	}
	if f.cache == "" && !c.IsDefault("cache") {
		f.cache = filepath.Join(c.Get("cache"), "_weft")
	}
	if f.cache == "" {
		f.cache = filepath.Join(userCache(o.Env, home), "weft")
		if !filepath.IsAbs(f.cache) {
			return f, errNoHome
		}
	}
	return f, nil
}

var errNoHome = &report.Problem{
	Code: report.CodeSetting, What: "there is no home folder to keep the store and the cache in",
	Hint: "set HOME, or give --store-dir and --cache-dir", Exit: report.ExitUsage,
}

// userCache is the user's folder for what may be lost, by the platform's custom:
// the XDG Base Directory Specification on Unix, Library/Caches on macOS,
// LOCALAPPDATA on Windows.
func userCache(env []string, home string) string {
	if dir := lookup(env, "XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	switch runtime.GOOS {
	case "windows":
		if dir := lookup(env, "LOCALAPPDATA"); filepath.IsAbs(dir) {
			return dir
		}
	case "darwin":
		return filepath.Join(home, "Library", "Caches")
	}
	return filepath.Join(home, ".cache")
}

// home is the user's folder: HOME, or what the system's list of users says. ""
// where there is none; a shared folder such as that for temporary files would let
// every other user put packages into the store.
func home(env []string) string {
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	if dir := lookup(env, name); filepath.IsAbs(dir) {
		return dir
	}
	if me, err := user.Current(); err == nil && filepath.IsAbs(me.HomeDir) {
		return me.HomeDir
	}
	return ""
}
