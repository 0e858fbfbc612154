//go:build linux

package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"weft/lab/record"
)

func starter(t testing.TB) *Starter {
	t.Helper()
	s, err := NewStarter()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func start(t testing.TB, s *Starter, spec Spec) Outcome {
	t.Helper()
	o, err := s.Start(context.Background(), spec, true)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestPeakIsTheProgramsOwn: a small program's peak is small, however much this
// process has in memory.
func TestPeakIsTheProgramsOwn(t *testing.T) {
	if raceBuild {
		t.Skip("the launcher of a race build is large")
	}
	ballast = make([]byte, 64<<20)
	for i := range ballast {
		ballast[i] = 1
	}
	defer func() { ballast = nil }()
	path := "/bin/true"
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	s := starter(t)
	var peaks []float64
	for range 5 {
		o := start(t, s, Spec{Path: path, Args: []string{"true"}})
		peaks = append(peaks, o.Values["peak_rss_bytes"]/(1<<20))
	}
	t.Logf("peaks of %s in MiB: %.2f", path, peaks)
	for _, peak := range peaks {
		if peak < 0.1 || peak > 6 {
			t.Errorf("%.2f MiB", peak)
		}
	}
	large := start(t, s, spec("allocate", "40")).Values["peak_rss_bytes"] / (1 << 20)
	if large < 40 || large > 80 {
		t.Errorf("a program of 40 MiB has a peak of %.1f MiB", large)
	}
	if peak := start(t, s, Spec{Path: path, Args: []string{"true"}}).Values["peak_rss_bytes"] / (1 << 20); peak > 6 {
		t.Errorf("after a large program: %.2f MiB", peak)
	}
}

func TestOutcome(t *testing.T) {
	s := starter(t)
	o := start(t, s, spec("print", "a", "b"))
	sum := sha256.Sum256([]byte("[a b]\n"))
	if o.Output.SHA256 != hex.EncodeToString(sum[:]) || string(o.Output.Head) != "[a b]\n" || o.Output.Tail != "[a b]\n" || o.Exit != 0 {
		t.Errorf("%+v", o)
	}
	if o := start(t, s, spec("exit", "7")); o.Exit != 7 {
		t.Errorf("%+v", o)
	}
	if o := start(t, s, spec("errors")); o.Exit != 1 || o.Stderr != "it went wrong\n" {
		t.Errorf("%+v", o)
	}
	if o := start(t, s, Spec{Path: "/bin/sh", Args: []string{"sh", "-c", "kill -TERM $$"}}); o.Exit != 128+15 {
		t.Errorf("%+v", o)
	}
	o = start(t, s, spec("spin", "50"))
	if cpu := o.Values["user_ns"] + o.Values["sys_ns"]; cpu < 40e6 || o.Values["wall_ns"] < 20e6 {
		t.Errorf("spinning for 50 ms: %+v", o.Values)
	}
	for _, column := range []string{"vol_switches", "invol_switches", "minor_faults", "major_faults", "block_read_bytes", "block_write_bytes", "peak_rss_bytes"} {
		if _, ok := o.Values[column]; !ok {
			t.Errorf("no %s", column)
		}
	}
	if o.Values["minor_faults"] == 0 {
		t.Errorf("%+v", o.Values)
	}
	dir := t.TempDir()
	if o := start(t, s, Spec{Path: "/bin/sh", Args: []string{"sh", "-c", "pwd; read x; echo $?; echo $X"}, Dir: dir, Env: []string{"X=y"}}); o.Output.Tail != dir+"\n1\ny\n" {
		t.Errorf("%q", o.Output.Tail)
	}
	if _, err := s.Start(context.Background(), Spec{Path: "/nowhere/program", Args: []string{"x"}}, false); !errors.Is(err, ErrStart) {
		t.Errorf("%v", err)
	}
	start(t, s, spec("nothing")) // it goes on
}

func TestCounters(t *testing.T) {
	s := starter(t)
	c := spec("spin", "20")
	c.Counters = true
	o := start(t, s, c)
	for _, column := range []string{"instructions", "cycles"} {
		v, ok := o.Values[column]
		switch why := o.Absent[column]; {
		case ok && v < 1e5:
			t.Errorf("%s: %v", column, v)
		case ok == (why != ""):
			t.Errorf("%s: %v, absent because %q", column, v, why)
		case !ok:
			t.Logf("%s is absent: %s", column, why)
		}
	}
}

// gone reports that a process whose pid is in a file is no more, or only waits
// to be collected.
func gone(t *testing.T, file string) bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stat, err := os.ReadFile("/proc/" + string(text) + "/stat")
	if err != nil {
		return true
	}
	return strings.Contains(string(stat), ") Z ")
}

func TestNothingIsLeft(t *testing.T) {
	s := starter(t)
	file := filepath.Join(t.TempDir(), "pid")
	if o := start(t, s, spec("orphan", file)); o.Exit != 0 || o.Left != 1 || !gone(t, file) {
		t.Errorf("%+v", o)
	}
	file += "2"
	limited := spec("orphan", file, "wait")
	limited.Timeout = 2 * time.Second
	if o := start(t, s, limited); !o.TimedOut || o.Exit != 128+9 || !gone(t, file) {
		t.Errorf("timeout: %+v", o)
	}
	file += "3"
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for {
			if _, err := os.Stat(file); err == nil {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	o, err := s.Start(ctx, spec("orphan", file, "wait"), false)
	if err != nil || !o.Canceled || !gone(t, file) {
		t.Errorf("cancel: %+v, %v", o, err)
	}
	// A cancellation is over with its run.
	if o := start(t, s, spec("nothing")); o.Canceled || o.Exit != 0 {
		t.Errorf("%+v", o)
	}
}

func TestLateCancelHitsNobody(t *testing.T) {
	s := starter(t)
	start(t, s, spec("nothing"))
	if err := s.send.Encode(request{ID: s.id, Cancel: true}); err != nil {
		t.Fatal(err)
	}
	if o := start(t, s, spec("nothing")); o.Canceled || o.Exit != 0 {
		t.Errorf("%+v", o)
	}
}

func TestIsolatedNetwork(t *testing.T) {
	s := starter(t)
	c := spec("talk", "1000000")
	c.Isolated = true
	o, err := s.Start(context.Background(), c, false)
	if errors.Is(err, ErrStart) && strings.Contains(err.Error(), unix.EPERM.Error()) {
		t.Skip(err)
	}
	if err != nil || o.Exit != 0 || o.Values["net_rx_bytes"] < 1e6 || o.Values["net_tx_bytes"] > 2e6 {
		t.Errorf("%+v, %v", o, err)
	}
	c = Spec{Path: "/bin/cat", Args: []string{"cat", "/proc/net/dev"}}
	plain := start(t, s, c)
	c.Isolated = true
	alone := start(t, s, c)
	if n := bytes.Count(alone.Output.Head, []byte("\n")); n >= bytes.Count(plain.Output.Head, []byte("\n")) && bytes.Contains(plain.Output.Head, []byte("eth")) {
		t.Errorf("inside:\n%s\noutside:\n%s", alone.Output.Head, plain.Output.Head)
	}
}

func TestPolled(t *testing.T) {
	s := starter(t)
	c := spec("allocate", "30")
	c.Polled = true
	values := treeValues(start(t, s, c).Curve)
	if mib := values["tree_rss_bytes"] / (1 << 20); mib < 30 || (mib > 80 && !raceBuild) || values["threads_peak"] < 2 {
		t.Errorf("%v", values)
	}
}

func TestThin(t *testing.T) {
	var points []record.Point
	for i := range 5 {
		points = append(points, record.Point{At: time.Duration(i), RSSBytes: int64(10 - i), Threads: i})
	}
	got := thin(points)
	if len(got) != 2 || got[0] != (record.Point{At: 1, RSSBytes: 10, Threads: 1}) || got[1] != (record.Point{At: 3, RSSBytes: 8, Threads: 3}) {
		t.Errorf("%+v", got)
	}
}

func TestCollector(t *testing.T) {
	text := strings.Repeat("0123456789", (OutputMax+100)/10)
	wait := collect(strings.NewReader(text), strings.NewReader("x"+text), true)
	out, errs := wait()
	sum := sha256.Sum256([]byte(text))
	if out.SHA256 != hex.EncodeToString(sum[:]) || string(out.Head) != text[:OutputMax] || out.Tail != text[len(text)-TailMax:] || errs != out.Tail || out.Bytes != int64(len(text)) {
		t.Errorf("%d bytes, head %d, tail %d", out.Bytes, len(out.Head), len(out.Tail))
	}
}

// BenchmarkStart is what a run costs beyond the program, /bin/true being next
// to nothing; "outside" is the part that is not in wall_ns.
func BenchmarkStart(b *testing.B) {
	s := starter(b)
	inside := 0.0
	for b.Loop() {
		inside += start(b, s, Spec{Path: "/bin/true", Args: []string{"true"}}).Values["wall_ns"]
	}
	b.ReportMetric(inside/float64(b.N), "inside-ns/op")
	b.ReportMetric((float64(b.Elapsed())-inside)/float64(b.N), "outside-ns/op")
}
