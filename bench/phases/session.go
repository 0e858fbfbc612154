package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"weft/bench/internal/peer"
	"weft/bench/registry/serve"
)

// session is one measurement: a scratch folder in which every run gets folders
// of its own, and which is deleted only at the end, since deleting during a
// measurement slows the runs after it.
type session struct {
	scratch  string
	manifest []byte
	registry string
	tools    []peer.Tool
	// probe is the name of a direct dependency, looked for after each install.
	probe string

	locks map[string][]byte // by tool
	warm  map[string]string // cache folders by tool
	count int
}

// sample is one row of the raw figures.
type sample struct {
	Round, Order int
	Tool         string
	Phase        peer.Phase
	usage
	Requests, Sent int64
	// Failure says what went wrong, "" if nothing did.
	Failure string
}

// place makes the folders of a new run.
func (s *session) place(label, cache string) (peer.Place, error) {
	s.count++
	root := filepath.Join(s.scratch, fmt.Sprintf("%04d-%s", s.count, label))
	p := peer.Place{
		Project: filepath.Join(root, "project"), Home: filepath.Join(root, "home"),
		Cache: cache, Registry: s.registry,
	}
	if cache == "" {
		p.Cache = filepath.Join(root, "cache")
	}
	for _, dir := range []string{p.Project, p.Home, p.Cache} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return p, err
		}
	}
	return p, os.WriteFile(filepath.Join(p.Project, "package.json"), s.manifest, 0o644)
}

// prepare makes each tool's lockfile and, if p4 is to be measured, its warm
// cache. npm and weft share npm's lockfile where npm takes part.
func (s *session) prepare(phases []peer.Phase) error {
	s.locks, s.warm = map[string][]byte{}, map[string]string{}
	if !slices.Contains(phases, peer.P3) && !slices.Contains(phases, peer.P4) {
		return nil
	}
	tools := slices.Clone(s.tools)
	slices.SortFunc(tools, func(a, b peer.Tool) int { return rank(a) - rank(b) })
	for _, t := range tools {
		if shared, ok := s.locks["npm"]; ok && t.Name == "weft" {
			s.locks[t.Name] = shared
			continue
		}
		p, err := s.place("lock-"+t.Name, "")
		if err != nil {
			return err
		}
		if r := s.measure(t, peer.P1, p); r.Failure != "" {
			return fmt.Errorf("%s cannot make its lockfile: %s", t.Name, r.Failure)
		}
		if s.locks[t.Name], err = os.ReadFile(filepath.Join(p.Project, t.Lockfile())); err != nil {
			return err
		}
	}
	if !slices.Contains(phases, peer.P4) {
		return nil
	}
	for _, t := range tools {
		if err := s.fill(t); err != nil {
			return err
		}
	}
	return nil
}

// rank puts npm first, whose lockfile weft is given.
func rank(t peer.Tool) int {
	if t.Name == "npm" {
		return 0
	}
	return 1
}

// fill makes a tool's warm cache by one cold install.
func (s *session) fill(t peer.Tool) error {
	p, err := s.place("warm-"+t.Name, "")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(p.Project, t.Lockfile()), s.locks[t.Name], 0o644); err != nil {
		return err
	}
	if r := s.measure(t, peer.P3, p); r.Failure != "" {
		return fmt.Errorf("%s cannot fill its cache: %s", t.Name, r.Failure)
	}
	s.warm[t.Name] = p.Cache
	return nil
}

// run measures one cell: a tool in a phase, in fresh folders.
func (s *session) run(t peer.Tool, phase peer.Phase) sample {
	fail := func(err error) sample { return sample{Tool: t.Name, Phase: phase, Failure: err.Error()} }
	cache := ""
	if phase == peer.P4 {
		cache = s.warm[t.Name]
	}
	p, err := s.place(t.Name+"-"+string(phase), cache)
	if err != nil {
		return fail(err)
	}
	if phase == peer.P3 || phase == peer.P4 {
		if err := os.WriteFile(filepath.Join(p.Project, t.Lockfile()), s.locks[t.Name], 0o644); err != nil {
			return fail(err)
		}
	}
	syncDisk()
	return s.measure(t, phase, p)
}

// measure runs the command and checks that it left what the phase promises.
func (s *session) measure(t peer.Tool, phase peer.Phase, p peer.Place) sample {
	out := sample{Tool: t.Name, Phase: phase}
	log, err := os.Create(filepath.Join(filepath.Dir(p.Project), "log"))
	if err == nil {
		defer log.Close()
		err = s.execute(t, phase, p, log, &out)
	}
	if err == nil {
		err = s.verify(t, phase, p, out)
	}
	if err != nil {
		out.Failure = err.Error()
	}
	return out
}

func (s *session) execute(t peer.Tool, phase peer.Phase, p peer.Place, log *os.File, out *sample) error {
	cmd, err := t.Command(context.Background(), phase, p)
	if err != nil {
		return err
	}
	cmd.Stdout, cmd.Stderr = log, log
	before, err := serve.FetchStats(s.registry)
	if err != nil {
		return err
	}
	if out.usage, err = launch(cmd); err != nil {
		return err
	}
	after, err := serve.FetchStats(s.registry)
	out.Requests, out.Sent = after.Requests-before.Requests, after.Sent-before.Sent
	return err
}

func (s *session) verify(t peer.Tool, phase peer.Phase, p peer.Place, out sample) error {
	if out.Exit != 0 {
		return fmt.Errorf("exit code %d; its output is in %s", out.Exit, filepath.Join(filepath.Dir(p.Project), "log"))
	}
	want := filepath.Join(p.Project, "node_modules", filepath.FromSlash(s.probe), "package.json")
	if phase == peer.P1 {
		want = filepath.Join(p.Project, t.Lockfile())
	}
	_, err := os.Stat(want)
	installed, err2 := os.Stat(filepath.Join(p.Project, "node_modules"))
	if phase == peer.P1 && err2 == nil && installed.IsDir() {
		return errors.New("resolving alone made a node_modules")
	}
	return err
}
