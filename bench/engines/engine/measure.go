package engine

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"weft/bench/engines/sample"
)

// Job is one sample to take in this process.
type Job struct {
	Engine      string
	Workload    string
	Parallelism int
	Warm        int // operations before the clock runs; may be 0
	Ops         int
	File        string // made by WritePages
	Echo        string // address of an echo server
}

// Args are the arguments by which a program of engines gets a job.
func (j Job) Args() []string {
	return []string{j.Engine, j.Workload, strconv.Itoa(j.Parallelism), strconv.Itoa(j.Warm), strconv.Itoa(j.Ops), j.File, j.Echo}
}

// ParseJob is the inverse of Args.
func ParseJob(args []string) (Job, error) {
	if len(args) != 7 {
		return Job{}, fmt.Errorf("engine: want ENGINE WORKLOAD PARALLELISM WARM OPS FILE ECHO, got %q", args)
	}
	j := Job{Engine: args[0], Workload: args[1], File: args[5], Echo: args[6]}
	for i, to := range []*int{&j.Parallelism, &j.Warm, &j.Ops} {
		n, err := strconv.Atoi(args[2+i])
		if err != nil {
			return Job{}, fmt.Errorf("engine: argument %d: %w", 3+i, err)
		}
		*to = n
	}
	return j, nil
}

// Run does the job. It sets GOMAXPROCS, and what it says of memory and threads
// is right only in a process that does nothing else.
func (j Job) Run() (s sample.Sample, err error) {
	maker, ok := Find(j.Engine)
	if !ok {
		return s, fmt.Errorf("engine: there is no %q", j.Engine)
	}
	w, ok := FindWorkload(j.Workload)
	if !ok || !maker.Runs(j.Workload) {
		return s, fmt.Errorf("engine: %s runs no workload %q", j.Engine, j.Workload)
	}
	if j.Parallelism < 1 || j.Ops < w.Unit || j.Ops%w.Unit != 0 || j.Warm%w.Unit != 0 {
		return s, fmt.Errorf("engine: %s does multiples of %d operations, not %d and %d", j.Workload, w.Unit, j.Warm, j.Ops)
	}
	setting, err := Open(j.Workload, j.Parallelism, j.File, j.Echo)
	if err != nil {
		return s, fmt.Errorf("engine: %w", err)
	}
	defer setting.Close()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(maker.Procs(j.Parallelism, runtime.NumCPU())))
	e := maker.Make(j.Parallelism, w.Need)
	defer e.Close()
	s = sample.Sample{Workload: j.Workload, Parallelism: j.Parallelism, Ops: j.Ops}
	e.Main(func(ctx context.Context) {
		if j.Warm > 0 {
			w.run(ctx, e, setting, j.Warm)
		}
		cpu, start := cpuTime(), time.Now()
		s.Checksum = w.run(ctx, e, setting, j.Ops)
		s.Wall, s.CPU = time.Since(start), cpuTime()-cpu
	})
	s.MaxRSS, s.Threads = status("VmHWM:")*1024, int(status("Threads:"))
	return s, nil
}

// cpuTime is the processor time of the process so far.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// status is a number from /proc/self/status, 0 where there is none. Threads of a
// Go program, and those of Tokio within 10 s, do not end when they have no work,
// so their number after a run is the most there were. VmHWM, other than the
// maximum that getrusage tells, does not begin at the size of the process which
// started this one.
func status(key string) int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			n, _ := strconv.ParseInt(strings.Fields(rest + " 0")[0], 10, 64)
			return n
		}
	}
	return 0
}
