// Command phases compares weft with other installers on one project, through a
// registry on loopback that answers from memory.
//
//	go run ./bench/phases --fixture M --data DIR --weft ./weft --peers DIR
//
// It measures the phases p0 (cold), p1 (resolve only), p3 (lockfile, empty
// cache) and p4 (lockfile, warm cache) in interleaved rounds of random order,
// each run in fresh folders, and prints medians with extremes, ratios to bun
// and to npm, and the number of runs. The raw figures of every run go to a CSV
// file. It exits with 1 if any run failed.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"weft/bench/internal/peer"
)

type options struct {
	fixture, data, weft, peers, tools, phases, out, scratch string
	rounds                                                  int
	seed                                                    uint64
	delay                                                   time.Duration
	keep                                                    bool
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == launchWord {
		os.Exit(launcher(os.Args[2:]))
	}
	if len(os.Args) > 3 && os.Args[1] == serveWord {
		exit(serveChild(os.Args[2], os.Args[3]))
	}
	var o options
	flag.StringVar(&o.fixture, "fixture", "M", "project to install: a folder of bench/fixtures or the path of a package.json")
	flag.StringVar(&o.data, "data", "", "recording made by bench/registry (required)")
	flag.StringVar(&o.weft, "weft", "", "weft's program; without it weft is left out")
	flag.StringVar(&o.peers, "peers", "", "folder with bun, pnpm and utoo, such as node_modules/.bin")
	flag.StringVar(&o.tools, "tools", "weft,bun,npm", "tools to compare, of "+strings.Join(peer.Names, ", "))
	flag.StringVar(&o.phases, "phases", "p0,p1,p3,p4", "phases to measure")
	flag.IntVar(&o.rounds, "rounds", 5, "runs of each tool in each phase")
	flag.Uint64Var(&o.seed, "seed", 0, "seed of the order of runs; 0 takes the time")
	flag.StringVar(&o.out, "out", "", "CSV file for the raw figures; empty makes one in bench/results")
	flag.StringVar(&o.scratch, "scratch", os.TempDir(), "folder for the runs; its disk is what is measured")
	flag.DurationVar(&o.delay, "delay", 0, "time that the registry adds to each request")
	flag.BoolVar(&o.keep, "keep", false, "keep the folders of all runs")
	flag.Parse()
	exit(compare(o))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "phases:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func compare(o options) (err error) {
	if o.data == "" || o.rounds < 1 {
		return errors.New("--data and at least one round are needed")
	}
	s, phases, err := newSession(o)
	if err != nil {
		return err
	}
	if !o.keep {
		defer func() { err = errors.Join(err, os.RemoveAll(s.scratch)) }()
	}
	var stop func()
	if s.registry, stop, err = startServer(o.data, o.delay); err != nil {
		return err
	}
	defer stop()
	out, err := create(o.out)
	if err != nil {
		return err
	}
	defer out.Close()
	if o.seed == 0 {
		o.seed = uint64(time.Now().UnixNano())
	}
	describe(s, o, out.Name())
	if err := s.prepare(phases); err != nil {
		return err
	}
	samples, err := measureAll(s, plan(s.tools, phases, o.rounds, o.seed), out)
	if err != nil {
		return err
	}
	if err := report(os.Stdout, samples, s.tools, phases); err != nil {
		return err
	}
	return failures(samples)
}

func newSession(o options) (*session, []peer.Phase, error) {
	path := o.fixture
	if !strings.HasSuffix(path, ".json") {
		path = filepath.Join("bench", "fixtures", o.fixture, "package.json")
	}
	s := &session{}
	var err error
	if s.manifest, err = os.ReadFile(path); err != nil {
		return nil, nil, err
	}
	var project struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(s.manifest, &project); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	for name := range project.Dependencies {
		s.probe = max(s.probe, name)
	}
	var phases []peer.Phase
	for _, p := range strings.Split(o.phases, ",") {
		phases = append(phases, peer.Phase(p))
	}
	for _, name := range strings.Split(o.tools, ",") {
		if name == "weft" && o.weft == "" {
			continue
		}
		t, err := peer.Find(name, o.weft, o.peers)
		if err != nil {
			return nil, nil, err
		}
		s.tools = append(s.tools, t)
	}
	s.scratch, err = os.MkdirTemp(o.scratch, "phases-")
	return s, phases, err
}

func create(path string) (*os.File, error) {
	if path == "" {
		path = filepath.Join("bench", "results", time.Now().UTC().Format("20060102T150405Z")+".csv")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return os.Create(path)
}

// describe prints what the figures depend on.
func describe(s *session, o options, raw string) {
	fmt.Printf("fixture %s, %d rounds, seed %d, delay %v, %d processors, %s/%s, scratch %s, raw figures %s\n",
		o.fixture, o.rounds, o.seed, o.delay, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, s.scratch, raw)
	for _, t := range s.tools {
		version, err := t.Version()
		if err != nil {
			version = "version unknown"
		}
		fmt.Printf("%s %s\n", t.Name, version)
	}
}

func measureAll(s *session, rounds [][]cell, out *os.File) ([]sample, error) {
	raw, err := newRawFile(out)
	if err != nil {
		return nil, err
	}
	var samples []sample
	for i, round := range rounds {
		for j, c := range round {
			r := s.run(c.tool, c.phase)
			r.Round, r.Order = i+1, j+1
			if r.Failure != "" {
				fmt.Fprintf(os.Stderr, "round %d: %s %s: %s\n", r.Round, r.Tool, r.Phase, r.Failure)
			}
			if err := raw.add(r); err != nil {
				return nil, err
			}
			samples = append(samples, r)
		}
	}
	return samples, nil
}

func failures(samples []sample) error {
	failed := 0
	for _, s := range samples {
		if s.Failure != "" {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d runs failed (--keep leaves their folders)", failed, len(samples))
	}
	return nil
}
