package engine

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
)

// ground is what drive.Ground is for the program: a file of pages and an echo
// server.
func ground(t *testing.T) (path, echo string) {
	path = filepath.Join(t.TempDir(), "pages")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := WritePages(file); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	list, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = list.Close() })
	go func() {
		for {
			c, err := list.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(c, c)
				_ = c.Close()
			}()
		}
	}()
	return path, list.Addr().String()
}

// smallest number of operations at which a workload does everything once.
func smallest(w Workload) int { return w.Round(max(w.Unit, 34)) }

func TestEveryEngineDoesTheWork(t *testing.T) {
	file, echo := ground(t)
	for _, maker := range Go() {
		for _, w := range Workloads() {
			if !maker.Runs(w.Name) {
				continue
			}
			for _, parallelism := range []int{1, 3} {
				t.Run(fmt.Sprintf("%s/%s/%d", maker.Name, w.Name, parallelism), func(t *testing.T) {
					ops := smallest(w)
					job := Job{Engine: maker.Name, Workload: w.Name, Parallelism: parallelism, Warm: w.Unit, Ops: ops, File: file, Echo: echo}
					s, err := job.Run()
					if err != nil {
						t.Fatal(err)
					}
					if want := w.Sum(ops, parallelism); s.Checksum != want {
						t.Errorf("checksum %d, not %d", s.Checksum, want)
					}
					if s.Workload != w.Name || s.Parallelism != parallelism || s.Ops != ops || s.Wall <= 0 || s.Threads < 1 || s.MaxRSS < 1<<20 {
						t.Errorf("sample %+v", s)
					}
				})
			}
		}
	}
}

// Each workload on its smallest scale, by hand: the sums that engines are held
// to must not come from the code that they share.
func TestSums(t *testing.T) {
	for name, tt := range map[string]struct {
		ops, parallelism int
		want             int64
	}{
		"spawn":          {2000, 1, 2 * 499_500},
		"chain":          {3000, 1, 3000},
		"yield":          {500, 1, 500},
		"pingpong":       {7, 1, 14},
		"pingpong-queue": {4, 1, 1 + 2 + 3 + 4},
		"block-empty":    {5, 1, 2},
		"cached-read":    {16, 3, (0 + 1 + 2 + 3 + 4 + 5) + 2*(0+1+2+3+4)},
		"cpu":            {64, 1, 2735},
		"sockets":        {64 * 3, 1, 64 * (0 + 1 + 2)},
		"block-ms":       {256, 1, 255 * 128},
		"panic":          {100, 1, 4950},
		"panic-trace":    {200, 1, 9900},
		"mixed":          {100, 1, 4950 + 8 + 18 + 28 + 38 + 48 + 58 + 68 + 78 + 88 + 98},
	} {
		w, ok := FindWorkload(name)
		if !ok {
			t.Errorf("no workload %s", name)
		} else if got := w.Sum(tt.ops, tt.parallelism); got != tt.want {
			t.Errorf("%s: %d operations give %d, not %d", name, tt.ops, got, tt.want)
		}
	}
	if got := sumCachedRead(2*pages+3, 1); got != 2*32640+0+1+2 {
		t.Errorf("more reads than pages give %d", got)
	}
}

func TestWorkloadsHoldTogether(t *testing.T) {
	names := map[string]bool{}
	for _, w := range Workloads() {
		names[w.Name] = true
		if w.Start%w.Unit != 0 || w.Round(1) != w.Unit || w.Round(3*w.Unit) != 3*w.Unit {
			t.Errorf("%s: %d operations in units of %d", w.Name, w.Start, w.Unit)
		}
	}
	for _, m := range Go() {
		for _, w := range m.Workloads {
			if !names[w] {
				t.Errorf("%s is to run %q, which does not exist", m.Name, w)
			}
		}
	}
	if m, _ := Find("weft"); m.Procs(1, 8) != 8 {
		t.Error("weft limits parallelism itself")
	}
	if m, _ := Find("go-channel"); m.Procs(1, 8) != 1 || m.Procs(16, 8) != 8 {
		t.Error("goroutines are limited by GOMAXPROCS")
	}
}

func TestJobRefuses(t *testing.T) {
	good := Job{Engine: "weft", Workload: "spawn", Parallelism: 1, Ops: spawnBatch}
	for name, change := range map[string]func(*Job){
		"unknown engine":      func(j *Job) { j.Engine = "none" },
		"unknown workload":    func(j *Job) { j.Workload = "none" },
		"not its workload":    func(j *Job) { j.Engine, j.Workload = "pond", "yield" },
		"no parallelism":      func(j *Job) { j.Parallelism = 0 },
		"part of a batch":     func(j *Job) { j.Ops++ },
		"part of a batch too": func(j *Job) { j.Warm = 1 },
		"no file":             func(j *Job) { j.Workload, j.Ops, j.File = "mixed", mixedBatch, "none" },
	} {
		job := good
		change(&job)
		if s, err := job.Run(); err == nil {
			t.Errorf("%s: ran: %+v", name, s)
		}
	}
}

func TestJobArgs(t *testing.T) {
	job := Job{"weft", "spawn", 4, 1000, 2000, "file", "echo"}
	if got, err := ParseJob(job.Args()); err != nil || got != job {
		t.Errorf("%+v, %v", got, err)
	}
	for _, args := range [][]string{nil, job.Args()[1:], {"weft", "spawn", "x", "0", "0", "f", "e"}} {
		if _, err := ParseJob(args); err == nil {
			t.Errorf("%q was read", args)
		}
	}
}

// A pool must have a worker for each task that waits, or workloads hang.
func TestPoolsHoldWaitingTasks(t *testing.T) {
	for _, name := range []string{"ants", "pond", "conc"} {
		maker, _ := Find(name)
		e := maker.Make(1, 8)
		meet := make(chan struct{})
		e.Main(func(ctx context.Context) {
			e.Batch(ctx, 8, func(_ context.Context, i int) int64 {
				if i == 7 {
					close(meet)
				}
				<-meet
				return 0
			})
		})
		e.Close()
	}
}
