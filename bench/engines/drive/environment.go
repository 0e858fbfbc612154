package drive

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"weft/bench/engines/sample"
)

// unknown is the value of a fact that could not be found out.
const unknown = "unknown"

// Environment tells where and when samples are taken.
func Environment(ctx context.Context) []sample.Fact {
	return []sample.Fact{
		{Key: "date", Value: time.Now().UTC().Format(time.RFC3339)},
		{Key: "weft", Value: revision(ctx)},
		{Key: "cpu", Value: cpuModel()},
		{Key: "cores", Value: fmt.Sprint(runtime.NumCPU())},
		{Key: "kernel", Value: said(ctx, "uname", "-sr")},
		{Key: "go", Value: runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH},
		{Key: "rustc", Value: said(ctx, "rustc", "--version")},
		{Key: "load before", Value: Load()},
	}
}

// Load is the load averages over 1, 5 and 15 minutes.
func Load() string {
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 3 {
		return unknown
	}
	return strings.Join(fields[:3], " ")
}

func revision(ctx context.Context) string {
	commit := said(ctx, "git", "rev-parse", "--short=12", "HEAD")
	if commit != unknown && said(ctx, "git", "status", "--porcelain", "--untracked-files=no") != "" {
		commit += " with changes"
	}
	return commit
}

func said(ctx context.Context, command string, args ...string) string {
	out, err := exec.CommandContext(ctx, command, args...).Output()
	if err != nil {
		return unknown
	}
	return strings.TrimSpace(string(out))
}

func cpuModel() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return unknown
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return unknown
}
