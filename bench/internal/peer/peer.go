// Package peer knows how each installer is told what to do: which command runs
// a phase, where its cache and its store are, and which registry it asks.
//
// Nothing of the user's settings reaches a peer: each run has a home of its
// own, an empty npmrc, and an environment made from nothing but PATH and what
// says how this machine reaches the network.
package peer

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Phase names what an install finds already there.
type Phase string

// The phases, as people who measure installers name them.
const (
	// P0 is a cold install: no lockfile, no cache, no node_modules.
	P0 Phase = "p0"
	// P1 resolves only, cold, and writes the lockfile.
	P1 Phase = "p1"
	// P3 installs from a lockfile with an empty cache.
	P3 Phase = "p3"
	// P4 installs from a lockfile and a warm cache.
	P4 Phase = "p4"
)

// Phases lists all phases in order.
var Phases = []Phase{P0, P1, P3, P4}

// Tool is an installer on this machine.
type Tool struct {
	Name string
	// Path is the program's absolute path.
	Path string
}

// Place is where one run happens. All folders are absolute and differ from run
// to run, but for a cache that a phase wants warm.
type Place struct {
	// Project holds package.json.
	Project string
	// Home becomes HOME and holds the XDG folders.
	Home string
	// Cache holds the tool's cache and its store.
	Cache string
	// Registry is the registry's address, with a final slash.
	Registry string
}

// Names lists the tools that Find knows.
var Names = []string{"weft", "bun", "npm", "utoo", "pnpm"}

// Lockfile is the name of the lockfile that the tool writes.
func (t Tool) Lockfile() string {
	switch t.Name {
	case "bun":
		return "bun.lock"
	case "pnpm":
		return "pnpm-lock.yaml"
	default:
		return "package-lock.json"
	}
}

// Args gives the arguments that make the tool run a phase.
func (t Tool) Args(phase Phase, p Place) ([]string, error) {
	args, ok := commands[t.Name][phase]
	if !ok {
		return nil, fmt.Errorf("%s: no command for phase %s", t.Name, phase)
	}
	out := make([]string, len(args))
	for i, a := range args {
		a = strings.ReplaceAll(a, "{cache}", p.Cache)
		out[i] = strings.ReplaceAll(a, "{registry}", p.Registry)
	}
	return out, nil
}

// same makes a tool's table: the words of each kind of run, then the flags that
// all of them take.
func same(p0, p1, frozen, flags string) map[Phase][]string {
	join := func(words string) []string { return strings.Fields(words + " " + flags) }
	return map[Phase][]string{P0: join(p0), P1: join(p1), P3: join(frozen), P4: join(frozen)}
}

var commands = map[string]map[Phase][]string{
	"weft": same("install", "install --package-lock-only", "ci",
		"--ignore-scripts --store-dir {cache}/store"),
	"npm": same("install", "install --package-lock-only", "ci",
		"--ignore-scripts --no-audit --no-fund --cache {cache}/npm"),
	"bun": same("install", "install --lockfile-only", "install --frozen-lockfile",
		"--ignore-scripts"),
	"utoo": same("install --ignore-scripts", "deps", "install --ignore-scripts",
		"--registry {registry} --cache-dir {cache}/utoo"),
	"pnpm": same("install --no-frozen-lockfile", "install --lockfile-only", "install --frozen-lockfile",
		"--ignore-scripts --node-linker=isolated --store-dir {cache}/pnpm"),
}

// network are the variables that say how this machine reaches the network:
// whom to trust and which proxy to ask. Loopback needs none of them.
var network = []string{
	"NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
}

// Env is the tool's whole environment at a place: nothing of the user's but PATH
// and the way to the network.
func (t Tool) Env(p Place) []string {
	xdg := func(name string) string { return filepath.Join(p.Home, name) }
	env := []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + p.Home,
		"XDG_CACHE_HOME=" + xdg(".cache"),
		"XDG_CONFIG_HOME=" + xdg(".config"),
		"XDG_DATA_HOME=" + xdg(".local/share"),
		"XDG_STATE_HOME=" + xdg(".local/state"),
		"TMPDIR=" + os.TempDir(),
		"npm_config_registry=" + p.Registry,
		"npm_config_userconfig=" + filepath.Join(p.Home, "no-user-npmrc"),
		"npm_config_globalconfig=" + filepath.Join(p.Home, "no-global-npmrc"),
		"npm_config_update_notifier=false",
	}
	for _, name := range network {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	switch t.Name {
	case "weft":
		env = append(env, "npm_config_cache="+filepath.Join(p.Cache, "npm"))
	case "bun":
		env = append(env, "BUN_CONFIG_REGISTRY="+p.Registry, "BUN_INSTALL_CACHE_DIR="+filepath.Join(p.Cache, "bun"))
	case "pnpm":
		env = append(env, "PNPM_CONFIG_MINIMUM_RELEASE_AGE=0", "PNPM_CONFIG_REGISTRY="+p.Registry, "CI=1")
	}
	return env
}

// Command prepares the command of a phase at a place, to be run by the caller.
// It is killed when ctx ends.
func (t Tool) Command(ctx context.Context, phase Phase, p Place) (*exec.Cmd, error) {
	args, err := t.Args(phase, p)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, t.Path, args...)
	cmd.Dir, cmd.Env = p.Project, t.Env(p)
	cmd.WaitDelay = 5 * time.Second // its children may hold its output
	return cmd, nil
}
