package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"weft/bench/engines/drive"
	"weft/bench/engines/sample"
)

// TestMain makes the test's own executable an engine where it is started as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == drive.ChildVerb {
		os.Exit(child(os.Args[2:]))
	}
	os.Exit(m.Run())
}

func TestRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "results.csv")
	var stdout, stderr bytes.Buffer
	args := []string{"-o", out, "-engines", "weft,go-waitgroup,conc", "-workloads", "spawn, block-empty", "-parallelism", "1,2",
		"-rounds", "2", "-sample", "1ms", "-seed", "9"}
	if err := run(context.Background(), args, &stdout, &stderr); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	file, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	facts, samples, err := sample.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	// Three engines spawn, two have a boundary; twice at each parallelism.
	if len(samples) != 2*2*(3+2) {
		t.Errorf("%d samples", len(samples))
	}
	for _, key := range []string{"date", "weft", "cpu", "cores", "kernel", "go", "rustc", "load before", "load after", "seed", "engine conc"} {
		if !slices.ContainsFunc(facts, func(f sample.Fact) bool { return f.Key == key && f.Value != "" }) {
			t.Errorf("the file does not say %q: %q", key, facts)
		}
	}
	page, err := os.ReadFile(strings.TrimSuffix(out, "csv") + "md")
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := run(context.Background(), []string{"-report", out}, &again, &stderr); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, again.Bytes()) || !strings.Contains(again.String(), "| spawn | weft, at most") {
		t.Errorf("the report made again is\n%s\nand was\n%s", again.String(), page)
	}
}

func TestRunRefuses(t *testing.T) {
	for says, args := range map[string][]string{
		"hint: -o":            nil,
		`what is "more"`:      {"-o", "x.csv", "more"},
		`no engine "none"`:    {"-o", "x.csv", "-engines", "weft,none"},
		`no workload "none"`:  {"-o", "x.csv", "-engines", "weft", "-workloads", "none"},
		`"0" is not 1`:        {"-o", "x.csv", "-engines", "weft", "-parallelism", "1,0"},
		"no such file":        {"-report", filepath.Join(t.TempDir(), "none")},
		"flag provided but n": {"-none"},
	} {
		var stdout, stderr bytes.Buffer
		if err := run(context.Background(), args, &stdout, &stderr); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", args, err)
		}
		if stdout.Len() > 0 {
			t.Errorf("%q printed %q", args, stdout.String())
		}
	}
}

func TestChild(t *testing.T) {
	if code := child([]string{"weft", "none", "1", "0", "1", "", ""}); code != 1 {
		t.Errorf("exit code %d", code)
	}
}
