package main

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"weft/install"
	"weft/install/report"
)

// try runs a command line over a pipeline that only remembers what it was
// asked for.
func try(t *testing.T, args []string, answer func(ctx context.Context, o install.Options) (*report.Summary, error)) (code int, stdout, stderr string, asked *install.Options) {
	t.Helper()
	var out, errs strings.Builder
	code = run(args, world{
		stdout: &out, stderr: &errs, env: []string{"A=b"},
		install: func(ctx context.Context, o install.Options) (*report.Summary, error) {
			asked = &o
			return answer(ctx, o)
		},
	})
	return code, out.String(), errs.String(), asked
}

func added(context.Context, install.Options) (*report.Summary, error) {
	return &report.Summary{Added: 3, Duration: time.Second}, nil
}

func TestInstallSaysWhatWasDone(t *testing.T) {
	tests := []struct {
		name           string
		args           []string
		stdout, stderr string // each begins with this
	}{
		{"plain", []string{"install"}, "", "added 3 packages in 1.0s\n"},
		{"alias", []string{"i"}, "", "added 3 packages in 1.0s\n"},
		{"ci", []string{"ci"}, "", "added 3 packages in 1.0s\n"},
		{"quiet", []string{"install", "--quiet"}, "", ""},
		{"npm's silent", []string{"install", "-s"}, "", ""},
		{"npm's loglevel", []string{"install", "--loglevel=error"}, "", ""},
		{"json", []string{"install", "--json"}, "{\n  \"schema\": \"weft.install/v1\",\n  \"ok\": true", ""},
	}
	for _, tt := range tests {
		code, stdout, stderr, _ := try(t, tt.args, added)
		if code != report.ExitOK || !begins(stdout, tt.stdout) || !begins(stderr, tt.stderr) {
			t.Errorf("%s: exit %d, stdout %q, stderr %q", tt.name, code, stdout, stderr)
		}
	}
}

func begins(text, want string) bool {
	return strings.HasPrefix(text, want) && (want != "" || text == "")
}

func TestInstallFails(t *testing.T) {
	stale := &report.Problem{Code: report.CodeLockStale, What: "the lockfile is stale", Exit: report.ExitNegative}
	fail := func(context.Context, install.Options) (*report.Summary, error) { return nil, stale }
	code, stdout, stderr, _ := try(t, []string{"ci"}, fail)
	if code != report.ExitNegative || stdout != "" || stderr != "error: the lockfile is stale (ERR_LOCKFILE_STALE)\n" {
		t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	code, stdout, _, _ = try(t, []string{"ci", "--json"}, fail)
	if code != report.ExitNegative || !strings.Contains(stdout, `"code": "ERR_LOCKFILE_STALE"`) {
		t.Errorf("exit %d, stdout %q", code, stdout)
	}
}

func TestInstallRequest(t *testing.T) {
	code, _, stderr, o := try(t, []string{
		"install", "-C", "some/where", "--node-version", "22", "--store-dir=st", "--cache-dir", "ca", "--verbose",
		"--package-lock-only", "--omit=dev,peer", "--omit", "optional", "--no-audit", "--no-fund", "--legacy-peer-deps",
		"-f", "--registry", "http://r.test/", "--strict-ssl=false", "--no-prefer-offline=false", "--no-package-lock",
	}, added)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	want := map[string]string{
		"omit": "dev\n\npeer\n\noptional", "audit": "false", "fund": "false", "legacy-peer-deps": "true", "force": "true",
		"registry": "http://r.test/", "strict-ssl": "false", "prefer-offline": "true", "package-lock": "false",
	}
	if !maps.Equal(o.Flags, want) {
		t.Errorf("settings %q, want %q", o.Flags, want)
	}
	if o.Dir != "some/where" || o.NodeVersion != "22" || o.StoreDir != "st" || o.CacheDir != "ca" || !o.LockOnly || o.CI || !o.Report.Verbose() || len(o.Env) != 1 {
		t.Errorf("request %+v", o)
	}
	_, _, _, o = try(t, []string{"ci"}, added)
	if o.Dir != "." || !o.CI || o.LockOnly || len(o.Flags) != 0 {
		t.Errorf("plain ci: %+v", o)
	}
}

func TestNpmSpellings(t *testing.T) {
	for _, tt := range []struct {
		args []string
		key  string
		want string
	}{
		{[]string{"--production"}, "omit", "dev"},
		{[]string{"--only=prod", "--omit=peer"}, "omit", "peer\n\ndev"},
		{[]string{"--audit=false"}, "audit", "false"},
		{[]string{"--no-package-lock"}, "package-lock", "false"},
		{[]string{"--package-lock=false"}, "package-lock", "false"},
		{[]string{"--package-lock"}, "package-lock", ""},
	} {
		code, _, stderr, o := try(t, append([]string{"install"}, tt.args...), added)
		if code != 0 || o.Flags[tt.key] != tt.want {
			t.Errorf("%q: exit %d, %q, stderr %q", tt.args, code, o.Flags, stderr)
		}
	}
	_, _, _, o := try(t, []string{"i", "--prefix", "p", "--loglevel", "silly", "--progress=false"}, added)
	if o.Dir != "p" || !o.Report.Verbose() {
		t.Errorf("prefix and loglevel: %+v", o)
	}
}

// TestInterruptedWins: what fails once the context is cancelled fails because
// of that.
func TestInterruptedWins(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs strings.Builder
	w := world{stdout: &out, stderr: &errs, install: func(context.Context, install.Options) (*report.Summary, error) {
		return nil, errors.New("read: connection closed")
	}}
	root := newRoot(w, []string{"install"})
	root.SetArgs([]string{"install"})
	err := root.ExecuteContext(ctx)
	if err != (failure{report.ExitInterrupted}) || !strings.Contains(errs.String(), "ERR_INTERRUPTED") {
		t.Errorf("got %v, stderr %q", err, errs.String())
	}
}
