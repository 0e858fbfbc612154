package run

import (
	"bufio"
	"encoding/json"

	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// launcherVar marks the environment of a launcher. Programs do not get it.
const launcherVar = "WEFT_LAB_LAUNCHER"

// collectEvery is after how many runs the launcher collects its garbage, some
// kilobytes for each.
const collectEvery = 50

// request is a line to the launcher.
type request struct {
	Spec
	// Stdout and Stderr are paths to open: pipes of the process that measures.
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	ID     int    `json:"id"`
	Cancel bool   `json:"cancel,omitempty"` // kill the run of this ID instead
}

// Launcher serves the process that started this one and never returns, if this
// process was started as a launcher; else it does nothing. Call it first in
// main, and in TestMain of tests that measure.
func Launcher() {
	if os.Getenv(launcherVar) == "" {
		return
	}
	os.Unsetenv(launcherVar)
	// Garbage is collected between runs and not often, so that no collector
	// brings pages back while a program starts.
	debug.SetGCPercent(-1)
	debug.FreeOSMemory()
	runtime.GOMAXPROCS(2)
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	l := &launcher{ours: ownPages(), answers: json.NewEncoder(os.Stdout)}
	requests := make(chan request)
	go l.read(requests)
	runs := 0
	for q := range requests {
		l.answers.Encode(l.run(q)) // if nobody listens, the reader ends it
		if runs++; runs%collectEvery == 0 {
			runtime.GC()
		}
	}
	os.Exit(0)
}

type launcher struct {
	ours    []pages
	answers *json.Encoder

	mu       sync.Mutex
	id       int // of the request in hand, 0 without one
	pid      int // of its program, 0 if there is none
	timedOut bool
	canceled bool
	ended    bool // nobody is there any more
}

// read takes requests until nobody can make them any more; then it kills what
// runs.
func (l *launcher) read(requests chan<- request) {
	lines := json.NewDecoder(bufio.NewReader(os.Stdin))
	for {
		var q request
		if err := lines.Decode(&q); err != nil {
			break
		}
		if q.Cancel {
			l.kill(func() bool {
				l.canceled = l.canceled || l.id == q.ID
				return l.id == q.ID
			})
			continue
		}
		l.mu.Lock()
		l.id = q.ID
		l.mu.Unlock()
		requests <- q
	}
	l.kill(func() bool {
		l.ended = true
		return true
	})
	close(requests)
}

// kill ends the run in flight if that is meant.
func (l *launcher) kill(meant func() bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if meant() && l.pid != 0 {
		unix.Kill(-l.pid, unix.SIGKILL)
		unix.Kill(l.pid, unix.SIGKILL)
	}
}

// run makes one run, on a thread of its own if it needs a namespace.
func (l *launcher) run(q request) Outcome {
	o := Outcome{Values: map[string]float64{}, Absent: map[string]string{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if !q.Isolated {
			defer runtime.UnlockOSThread() // else the thread ends with the goroutine, and its namespace
		}
		if err := l.measure(q, &o); err != nil {
			o.Failed = err.Error()
			l.over(&o)
		}
	}()
	<-done
	return o
}

func (l *launcher) measure(q request, o *Outcome) error {
	if q.Isolated {
		if err := isolate(); err != nil {
			return err
		}
	}
	files, err := openAll(q.Stdout, q.Stderr)
	if err != nil {
		return err
	}
	defer closeAll(files)
	c := openCounters(q.Counters, o)
	defer c.close()
	attr := &os.ProcAttr{Dir: q.Dir, Env: q.Env, Files: files, Sys: &unix.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL}}
	dropPages(l.ours)
	start := time.Now()
	p, err := os.StartProcess(q.Path, q.Args, attr)
	if err != nil {
		return err
	}
	closeAll(files[1:])
	stop := l.began(p.Pid, q)
	var usage unix.Rusage
	var status unix.WaitStatus
	for {
		if _, err = unix.Wait4(p.Pid, &status, 0, &usage); err != unix.EINTR {
			break
		}
	}
	wall := time.Since(start)
	stop()
	l.over(o)
	o.Left = reap(p.Pid)
	p.Release()
	if err != nil {
		return err
	}
	o.Exit = status.ExitStatus()
	if status.Signaled() {
		o.Exit = 128 + int(status.Signal())
	}
	fromUsage(o.Values, &usage)
	o.Values["wall_ns"] = float64(wall)
	c.read(o)
	if q.Isolated {
		readNetwork(o)
	}
	return nil
}

// began makes the run the one in flight and starts its time limit.
func (l *launcher) began(pid int, q request) (stop func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pid = pid
	if l.ended || l.canceled {
		unix.Kill(-pid, unix.SIGKILL)
	}
	if q.Timeout <= 0 {
		return func() {}
	}
	t := time.AfterFunc(q.Timeout, func() {
		l.kill(func() bool {
			l.timedOut = l.timedOut || l.pid == pid
			return l.pid == pid
		})
	})
	return func() { t.Stop() }
}

func (l *launcher) over(o *Outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	o.TimedOut, o.Canceled = l.timedOut, l.canceled
	l.id, l.pid, l.timedOut, l.canceled = 0, 0, false, false
}

func openAll(stdout, stderr string) ([]*os.File, error) {
	var files []*os.File
	for _, f := range []struct {
		path string
		flag int
	}{{os.DevNull, os.O_RDONLY}, {stdout, os.O_WRONLY}, {stderr, os.O_WRONLY}} {
		// Not by os.OpenFile, which would make a pipe non-blocking.
		fd, err := unix.Open(f.path, f.flag|unix.O_CLOEXEC, 0)
		if err != nil {
			closeAll(files)
			return nil, &os.PathError{Op: "open", Path: f.path, Err: err}
		}
		files = append(files, os.NewFile(uintptr(fd), f.path))
	}
	return files, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

func fromUsage(values map[string]float64, u *unix.Rusage) {
	values["user_ns"] = float64(u.Utime.Nano())
	values["sys_ns"] = float64(u.Stime.Nano())
	values["peak_rss_bytes"] = float64(u.Maxrss) * 1024
	values["vol_switches"] = float64(u.Nvcsw)
	values["invol_switches"] = float64(u.Nivcsw)
	values["minor_faults"] = float64(u.Minflt)
	values["major_faults"] = float64(u.Majflt)
	values["block_read_bytes"] = float64(u.Inblock) * 512
	values["block_write_bytes"] = float64(u.Oublock) * 512
}
