package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"weft/lab/plan"
)

func thePlan() *plan.Plan {
	p := plan.Default()
	p.Seed = 5
	exe, _ := os.Executable()
	p.Arms = []plan.Arm{{Name: "old", Command: plan.Command{Args: []string{exe}}}, {Name: "new", Command: plan.Command{Args: []string{exe, "x"}}}}
	return p
}

func run(series string, block int, arm string) Run {
	return Run{
		Series: series, Block: block, Position: 1, Arm: arm, Workload: `big, "one" n=2`, Started: 1764547200000000000 + int64(block),
		Values: map[string]float64{"wall_ns": 1234567, "cycles": 0.1}, Output: strings.Repeat("a1", 32),
	}
}

func create(t *testing.T) (*Dir, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run")
	e, err := Capture(context.Background(), thePlan())
	if err != nil {
		t.Fatal(err)
	}
	d, err := Create(path, thePlan(), e)
	if err != nil {
		t.Fatal(err)
	}
	return d, path
}

func appendAll(t *testing.T, d *Dir, runs []Run) {
	t.Helper()
	for _, r := range runs {
		if err := d.Append(r); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	d, path := create(t)
	custom := run(plan.SeriesMain, 1, "new")
	custom.Values["m:requests, all"], custom.Exit, custom.Output = -3.5e-7, 137, ""
	late := run(plan.SeriesMain, 2, "old'")
	late.Values["m:a"] = 1e21
	runs := []Run{run("warmup", 0, "old"), run("main", 0, "new"), custom, late, run("confirm-1", 0, "old"), run("confirm-2", 0, "old")}
	appendAll(t, d, runs)
	got, err := Read(path) // while it is being written
	if err != nil || !reflect.DeepEqual(got, runs) {
		t.Fatalf("got %+v\nwant %+v\n%v", got, runs, err)
	}
	if err := Verify(path); !errors.Is(err, ErrNoManifest) {
		t.Errorf("unfinished: %v", err)
	}
	curve := Curve{"old", "default", 3, []Point{{0, 1 << 20, 1}, {5e6, 2 << 20, 4}}}
	if err := d.AddCurve("3", curve); err != nil {
		t.Fatal(err)
	}
	if err := d.Finish(); err != nil {
		t.Fatal(err)
	}
	if err := Verify(path); err != nil {
		t.Error(err)
	}
	r, err := Open(path)
	if err != nil || !reflect.DeepEqual(r.Runs, runs) || !reflect.DeepEqual(r.Plan, thePlan()) || r.Torn != nil {
		t.Errorf("%+v, %v", r, err)
	}
	if curves, err := Curves(path); err != nil || !reflect.DeepEqual(curves, []Curve{curve}) {
		t.Errorf("%+v, %v", curves, err)
	}
	head, _ := os.ReadFile(filepath.Join(path, "confirm-1", RunsFile))
	if got := strings.Split(string(head), "\n")[0]; got != strings.Join(Columns(), ",") {
		t.Errorf("header %s", got)
	}
}

func TestAppendRefuses(t *testing.T) {
	d, path := create(t)
	defer d.Close()
	for what, change := range map[string]func(*Run){
		"no series":     func(r *Run) { r.Series = "" },
		"no arm":        func(r *Run) { r.Arm = "" },
		"line end":      func(r *Run) { r.Arm = "a\nb" },
		"elsewhere":     func(r *Run) { r.Series = "confirm-1/../../x" },
		"unknown":       func(r *Run) { r.Values["speed"] = 1 },
		"not a number":  func(r *Run) { r.Values["wall_ns"] = nan() },
		"no hash":       func(r *Run) { r.Output = "abc" },
		"negative":      func(r *Run) { r.Block = -1 },
		"a fixed name":  func(r *Run) { r.Values["exit_code"] = 1 },
		"bare prefix":   func(r *Run) { r.Values["m:"] = 1 },
		"many a metric": func(r *Run) { many(r) },
	} {
		r := run("main", 0, "old")
		change(&r)
		if err := d.Append(r); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	if runs, err := Read(path); len(runs) != 0 || err != nil {
		t.Errorf("%+v, %v", runs, err)
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

func many(r *Run) {
	for i := range CustomMax + 1 {
		r.Values[fmt.Sprintf("m:%d", i)] = 1
	}
}

// TestTorn cuts the file at every seventh byte and around line ends: what was whole is there, and the
// record can be gone on with.
func TestTorn(t *testing.T) {
	d, path := create(t)
	runs := []Run{run("main", 0, "old"), run("main", 0, "new")}
	appendAll(t, d, runs)
	d.Close()
	file := filepath.Join(path, RunsFile)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if n%7 != 0 && whole[n] != '\n' && (n == 0 || whole[n-1] != '\n') {
			continue
		}
		if err := os.WriteFile(file, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		d, r, err := Resume(path, nil, d.env)
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		want := max(0, bytes.Count(whole[:n], []byte("\n"))-1)
		if len(r.Runs) != want || (len(r.Torn) > 0) != (n > 0 && whole[n-1] != '\n') {
			t.Fatalf("%d bytes: %d runs, torn %v", n, len(r.Runs), r.Torn)
		}
		appendAll(t, d, runs[want:])
		d.Close()
		if again, err := os.ReadFile(file); err != nil || !bytes.Equal(again, whole) {
			t.Fatalf("%d bytes: went on to\n%s", n, again)
		}
	}
}

func TestResumeRefuses(t *testing.T) {
	d, path := create(t)
	if _, _, err := Resume(path, nil, d.Env()); err == nil {
		t.Error("two processes write one record")
	}
	env := d.Env()
	if err := d.Finish(); err != nil {
		t.Fatal(err)
	}
	var changed *ChangedError
	other := thePlan()
	other.Blocks = 12
	if _, _, err := Resume(path, other, env); !errors.As(err, &changed) || changed.What != "the plan" {
		t.Errorf("another plan: %v", err)
	}
	other = thePlan()
	other.Seed = 6
	if _, _, err := Resume(path, other, env); !errors.As(err, &changed) || changed.What != "the seed" {
		t.Errorf("another seed: %v", err)
	}
	now := env
	now.Binaries = []Binary{{Arm: "old", Path: env.Binaries[0].Path, Before: "00"}, env.Binaries[1]}
	if _, _, err := Resume(path, nil, now); !errors.As(err, &changed) {
		t.Errorf("another program: %v", err)
	}
	now = env
	now.Kernel = "another"
	same := thePlan()
	same.Seed = 0
	d, _, err := Resume(path, same, now)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if notes := d.Env().Notes; len(notes) != 1 || notes[0].Kind != "machine" {
		t.Errorf("%+v", notes)
	}
	if err := Verify(path); !errors.Is(err, ErrNoManifest) {
		t.Errorf("a manifest of what is being changed: %v", err)
	}
}

func TestVerify(t *testing.T) {
	d, path := create(t)
	appendAll(t, d, []Run{run("main", 0, "old"), run("confirm-1", 0, "old")})
	if err := d.Finish(); err != nil {
		t.Fatal(err)
	}
	if err := AddReport(path, "report.html", []byte("<p>")); err != nil {
		t.Fatal(err)
	}
	if err := Verify(path); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("report.html", "<b>")
	write("extra", "x")
	if err := os.Remove(filepath.Join(path, "confirm-1", RunsFile)); err != nil {
		t.Fatal(err)
	}
	var e *ManifestError
	want := &ManifestError{[]string{"report.html"}, []string{"confirm-1/runs.csv"}, []string{"extra"}}
	if err := Verify(path); !errors.As(err, &e) || !reflect.DeepEqual(e, want) {
		t.Errorf("%v", err)
	}
	if err := AddReport(path, "runs.csv", nil); err == nil {
		t.Error("a report replaces the record")
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(path, "link")); err == nil {
		if err := Verify(path); !errors.Is(err, ErrFormat) {
			t.Errorf("a link: %v", err)
		}
	}
}

func TestCreateRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, thePlan(), Env{}); !errors.Is(err, ErrExists) {
		t.Errorf("%v", err)
	}
}

func TestRehash(t *testing.T) {
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, []byte("1"), 0o755); err != nil {
		t.Fatal(err)
	}
	p := thePlan()
	p.Arms[1].Command.Args[0] = file
	b, err := Binaries(p)
	if err != nil {
		t.Fatal(err)
	}
	if notes := Rehash(b); len(notes) != 0 || b[1].After != b[1].Before {
		t.Errorf("%+v, %+v", notes, b)
	}
	if err := os.WriteFile(file, []byte("2"), 0o755); err != nil {
		t.Fatal(err)
	}
	if notes := Rehash(b); len(notes) != 1 || notes[0].Kind != "binary" || !strings.Contains(notes[0].Text, "new") {
		t.Errorf("%+v", notes)
	}
	p.Arms[1].Command.Args[0] = file + "-missing"
	if _, err := Binaries(p); err == nil || !strings.Contains(err.Error(), "arm new") {
		t.Errorf("%v", err)
	}
}

func FuzzParseCSV(f *testing.F) {
	header := string(line(Columns()))
	f.Add([]byte(header))
	f.Add([]byte(header + string(line(row(Columns(), run("main", 0, "old")))) + "main,1"))
	custom := append(Columns(), "m:x")
	r := run("main", 0, "old")
	r.Values["m:x"] = 3
	f.Add(append(line(custom), line(row(custom, r))...))
	f.Add([]byte("series,block\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		header, runs, _, err := parseCSV(data)
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatal(err)
			}
			return
		}
		if header == nil {
			return
		}
		var b bytes.Buffer
		b.Write(line(header))
		for _, r := range runs {
			b.Write(line(row(header, r)))
		}
		header2, runs2, torn, err := parseCSV(b.Bytes())
		if err != nil || len(torn) > 0 || !reflect.DeepEqual(header, header2) || !reflect.DeepEqual(runs, runs2) {
			t.Fatalf("%v\n%s\n%+v\n%+v", err, b.Bytes(), runs, runs2)
		}
	})
}
