package peer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCommands(t *testing.T) {
	place := Place{Project: "/p", Home: "/h", Cache: "/c", Registry: "http://127.0.0.1:1/"}
	for _, tc := range []struct {
		tool  string
		phase Phase
		want  string
	}{
		{"weft", P0, "install --ignore-scripts --store-dir /c/store"},
		{"weft", P1, "install --package-lock-only --ignore-scripts --store-dir /c/store"},
		{"weft", P4, "ci --ignore-scripts --store-dir /c/store"},
		{"npm", P3, "ci --ignore-scripts --no-audit --no-fund --cache /c/npm"},
		{"bun", P1, "install --lockfile-only --ignore-scripts"},
		{"bun", P3, "install --frozen-lockfile --ignore-scripts"},
		{"utoo", P1, "deps --registry http://127.0.0.1:1/ --cache-dir /c/utoo"},
		{"pnpm", P0, "install --no-frozen-lockfile --ignore-scripts --node-linker=isolated --store-dir /c/pnpm"},
	} {
		args, err := Tool{Name: tc.tool}.Args(tc.phase, place)
		if got := strings.Join(args, " "); err != nil || got != tc.want {
			t.Errorf("%s %s: %q (%v), want %q", tc.tool, tc.phase, got, err, tc.want)
		}
	}
	if _, err := (Tool{Name: "bun"}).Args("p9", place); err == nil {
		t.Error("an unknown phase has a command")
	}
	if _, err := (Tool{Name: "yarn"}).Command(t.Context(), P0, place); err == nil {
		t.Error("an unknown tool has a command")
	}
}

// TestEnvIsClean holds every tool's environment to naming nothing of the
// user's but PATH, the folder for temporary files, and the way to the network.
func TestEnvIsClean(t *testing.T) {
	t.Setenv("HOME", "/home/someone")
	t.Setenv("npm_config_omit_lockfile_registry_resolved", "true")
	t.Setenv("NODE_OPTIONS", "--require x")
	t.Setenv("NODE_EXTRA_CA_CERTS", "/ca")
	place := Place{Project: "/p", Home: "/h", Cache: "/c", Registry: "http://127.0.0.1:1/"}
	for _, name := range Names {
		env := Tool{Name: name}.Env(place)
		for _, bad := range []string{"someone", "omit_lockfile", "NODE_OPTIONS"} {
			if slices.ContainsFunc(env, func(v string) bool { return strings.Contains(v, bad) }) {
				t.Errorf("%s sees %s: %v", name, bad, env)
			}
		}
		if !slices.Contains(env, "NODE_EXTRA_CA_CERTS=/ca") || !slices.Contains(env, "HOME=/h") || !slices.Contains(env, "npm_config_registry=http://127.0.0.1:1/") {
			t.Errorf("%s: %v", name, env)
		}
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "bun")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho 9.9.9\necho more\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	tool, err := Find("bun", "", dir)
	if err != nil || tool.Path != program {
		t.Fatalf("found %+v, %v", tool, err)
	}
	if v, err := tool.Version(); err != nil || v != "9.9.9" {
		t.Errorf("version %q, %v", v, err)
	}
	if _, err := Find("weft", "", dir); err == nil {
		t.Error("weft was found without a path")
	}
	t.Setenv("PATH", dir)
	if got := FindAll([]string{"npm", "bun", "utoo"}, "", ""); len(got) != 1 || got[0].Name != "bun" {
		t.Errorf("found %v", got)
	}
}
