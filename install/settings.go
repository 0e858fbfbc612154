package install

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

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

// cacheDir is where metadata is kept: the option, weft's folder in npm's cache
// setting where somebody set it, or the user's cache folder.
func cacheDir(o Options, c *npmrc.Config) string {
	switch {
	case o.CacheDir != "":
		return o.CacheDir
	case !c.IsDefault("cache"):
		return filepath.Join(c.Get("cache"), "_weft")
	}
	return filepath.Join(userCache(o.Env), "weft")
}

// storeDir is where unpacked packages are kept: the option, the setting
// store-dir, or the user's data folder.
func storeDir(o Options, c *npmrc.Config) string {
	switch dir := c.Get("store-dir"); {
	case o.StoreDir != "":
		return o.StoreDir
	case dir != "":
		return dir
	}
	return store.DefaultDir(func(name string) string { return lookup(o.Env, name) }, home(o.Env))
}

// userCache is the user's folder for what may be lost, by the platform's custom:
// the XDG Base Directory Specification on Unix, Library/Caches on macOS,
// LOCALAPPDATA on Windows.
func userCache(env []string) string {
	if dir := lookup(env, "XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	switch runtime.GOOS {
	case "windows":
		if dir := lookup(env, "LOCALAPPDATA"); dir != "" {
			return dir
		}
	case "darwin":
		return filepath.Join(home(env), "Library", "Caches")
	}
	return filepath.Join(home(env), ".cache")
}

// home is the user's folder; for an account without one the system's folder for
// temporary files, which is better than the working directory.
func home(env []string) string {
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	if dir := lookup(env, name); dir != "" {
		return dir
	}
	return os.TempDir()
}
