package record

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"weft/lab/plan"
)

// Capture looks at the machine and at the programs of a plan. What cannot be
// known is left zero; on systems other than Linux that is most of the machine.
// It fails where a program of the plan cannot be found or read. It takes as
// long as hashing the programs and asking git does.
func Capture(ctx context.Context, p *plan.Plan) (Env, error) {
	e := Env{
		Schema: EnvSchema, Started: time.Now().UTC(), Seed: p.Seed, Blocks: p.Blocks,
		OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), Go: runtime.Version(),
		Kernel:      firstLine("/proc/sys/kernel/osrelease"),
		CPU:         procValue("/proc/cpuinfo", "model name"),
		Governor:    firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
		ClockSource: firstLine("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
		MemoryBytes: procBytes("/proc/meminfo", "MemTotal"),
		Container:   container(),
		Weft:        revision(),
		Git:         git(ctx),
	}
	e.CgroupCPUs, e.CgroupBytes = cgroupLimits()
	if l, ok := ReadLoad(); ok {
		e.LoadBefore = &l
	}
	var err error
	e.Binaries, err = Binaries(p)
	return e, err
}

// ReadLoad tells how busy the machine is; ok is false where that is not known.
func ReadLoad() (l Load, ok bool) {
	fields := strings.Fields(firstLine("/proc/loadavg"))
	if len(fields) < 3 {
		return l, false
	}
	for i := range l.Averages {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return l, false
		}
		l.Averages[i] = v
	}
	l.SwapBytes = procBytes("/proc/meminfo", "SwapTotal") - procBytes("/proc/meminfo", "SwapFree")
	l.MHz = megahertz()
	return l, true
}

// Binaries finds and hashes the programs of a plan's arms, in every cell. An
// arm for the shell has the shell.
func Binaries(p *plan.Plan) ([]Binary, error) {
	var all []Binary
	hashes := map[string]string{}
	for _, a := range p.Arms {
		seen := map[string]bool{}
		for _, c := range p.Cells() {
			in, err := a.In(c)
			if err != nil {
				return nil, fmt.Errorf("record: %w", err)
			}
			path, err := Program(in)
			if err != nil {
				return nil, fmt.Errorf("record: arm %s: %w", a.Name, err)
			}
			if seen[path] {
				continue
			}
			seen[path] = true
			if hashes[path] == "" {
				if hashes[path], err = hashFile(path); err != nil {
					return nil, fmt.Errorf("record: arm %s: %w", a.Name, err)
				}
			}
			all = append(all, Binary{Arm: a.Name, Path: path, Before: hashes[path]})
		}
	}
	return all, nil
}

// Shell is the program and its arguments before the text that an arm with
// Shell gives it.
func Shell() []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd", "/C"}
	}
	return []string{"/bin/sh", "-c"}
}

// Program is the file that an arm's command runs, looked up as a shell in the
// arm's folder would: with a slash relative to that folder, else on PATH.
func Program(a plan.Arm) (string, error) {
	name := a.Command.Args[0]
	if a.Shell {
		name = Shell()[0]
	}
	if strings.ContainsRune(name, filepath.Separator) || strings.Contains(name, "/") {
		if !filepath.IsAbs(name) {
			name = filepath.Join(a.Cwd, name)
		}
		if _, err := exec.LookPath(absolute(name)); err != nil {
			return "", err
		}
		return name, nil
	}
	return exec.LookPath(name)
}

func absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}

// Rehash fills in what the binaries hash to now, and says which changed.
func Rehash(binaries []Binary) []Note {
	var notes []Note
	for i, b := range binaries {
		h, err := hashFile(b.Path)
		binaries[i].After = h
		switch {
		case err != nil:
			notes = append(notes, Note{Kind: "binary", Text: fmt.Sprintf("the program of %s cannot be read any more: %v", b.Arm, err), At: time.Now().UTC()})
		case h != b.Before:
			notes = append(notes, Note{Kind: "binary", Text: fmt.Sprintf("the program of %s, %s, changed while it was measured", b.Arm, b.Path), At: time.Now().UTC()})
		}
	}
	return notes
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, text, err := hashStream(f)
	return text, err
}

func hashStream(r io.Reader) (bytes int64, text string, err error) {
	h := sha256.New()
	if bytes, err = io.Copy(h, r); err != nil {
		return bytes, "", err
	}
	return bytes, hex.EncodeToString(h.Sum(nil)), nil
}

func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	text := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" || s.Key == "vcs.modified" && s.Value == "true" {
			text += " " + s.Key[len("vcs."):] + " " + s.Value
		}
	}
	return text
}

// git asks for the state of the working directory; nil where there is no
// repository or no git.
func git(ctx context.Context) *Git {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	ask := func(args ...string) (string, bool) {
		c := exec.CommandContext(ctx, "git", args...)
		c.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0")
		out, err := c.Output()
		return strings.TrimSpace(string(out)), err == nil
	}
	head, ok := ask("rev-parse", "HEAD")
	if !ok {
		return nil
	}
	branch, _ := ask("branch", "--show-current")
	status, ok := ask("status", "--porcelain", "--untracked-files=no")
	return &Git{Revision: head, Branch: branch, Changed: !ok || status != ""}
}

func firstLine(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(first)
}

// procValue finds "name : value" in a file of /proc.
func procValue(path, name string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		key, value, ok := strings.Cut(s.Text(), ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func procBytes(path, name string) int64 {
	n, err := strconv.ParseInt(strings.TrimSuffix(procValue(path, name), " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

// megahertz is the mean frequency of the CPUs, 0 if it is not known.
func megahertz() float64 {
	files, _ := filepath.Glob("/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq")
	sum := 0.0
	for _, file := range files {
		kHz, err := strconv.ParseFloat(firstLine(file), 64)
		if err != nil {
			return 0
		}
		sum += kHz / 1000
	}
	if len(files) > 0 {
		return sum / float64(len(files))
	}
	mhz, _ := strconv.ParseFloat(procValue("/proc/cpuinfo", "cpu MHz"), 64)
	return mhz
}

func container() string {
	for name, file := range map[string]string{"docker": "/.dockerenv", "podman": "/run/.containerenv"} {
		if _, err := os.Stat(file); err == nil {
			return name
		}
	}
	return ""
}

// cgroupLimits are those of the whole machine or container, by cgroup 2, else
// 1; 0 is none.
func cgroupLimits() (cpus float64, memory int64) {
	quota := strings.Fields(firstLine("/sys/fs/cgroup/cpu.max"))
	if len(quota) != 2 {
		quota = []string{firstLine("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"), firstLine("/sys/fs/cgroup/cpu/cpu.cfs_period_us")}
	}
	q, e1 := strconv.ParseFloat(quota[0], 64)
	period, e2 := strconv.ParseFloat(quota[1], 64)
	if e1 == nil && e2 == nil && q > 0 && period > 0 {
		cpus = q / period
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if n, err := strconv.ParseInt(firstLine(file), 10, 64); err == nil && n < 1<<60 {
			return cpus, n
		}
	}
	return cpus, 0
}
