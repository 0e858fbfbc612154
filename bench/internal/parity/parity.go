// Package parity checks that an installer leaves what npm leaves: it installs
// one project with both, from the same registry, and counts every difference
// in the lockfile, the packages, the files, what npm says about the result, and
// what the direct dependencies do when they are loaded.
package parity

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"weft/bench/internal/difference"
	"weft/bench/internal/lockdiff"
	"weft/bench/internal/peer"
	"weft/bench/internal/tree"
)

// Options say what to check. The tools, Manifest, Registry and Scratch are
// needed.
type Options struct {
	// Manifest is the project's package.json.
	Manifest []byte
	// Registry is the address to install from, with a final slash.
	Registry string
	// NPM is the reference and also judges the subject's result.
	NPM peer.Tool
	// Subject is the installer under test; npm itself may be one.
	Subject peer.Tool
	// Scratch is an existing empty folder for the installs.
	Scratch string
	// SkipLoad leaves out loading the direct dependencies with node, SkipJudge
	// leaves out what npm says about the subject's result.
	SkipLoad, SkipJudge bool
	// MayFail takes an npm that fails as a result like any other: the subject
	// must fail too. Otherwise it is an error.
	MayFail bool
	// Limit is how long one command may run; 0 is 15 minutes.
	Limit time.Duration
	// Progress, when set, hears of each step before it begins.
	Progress func(step string)
}

// Report is what a check found.
type Report struct {
	// Failed says that npm could not install the project, Hung that it did not
	// even end, which leaves nothing to compare with.
	Failed, Hung bool
	// Packages and Files count what npm installed.
	Packages, Files int
	// Loaded counts direct dependencies that npm's own tree can require or
	// import.
	Loaded int
	// Differences is empty when the subject's result equals npm's.
	Differences []difference.Difference
}

// side is one install.
type side struct {
	tool  peer.Tool
	place peer.Place
	lock  []byte
	tree  *tree.Tree
}

// Check installs with both tools and compares. It blocks for as long as the
// installs take. The error is for checks that could not be made, such as an
// npm that fails; a subject that fails is a difference.
func Check(o Options) (*Report, error) {
	reference, errNPM := o.install(o.NPM, "npm")
	if errNPM != nil && !o.MayFail {
		return nil, errNPM
	}
	report := &Report{Failed: errNPM != nil, Hung: errors.Is(errNPM, context.DeadlineExceeded)}
	subject, errSubject := o.install(o.Subject, "subject")
	switch {
	case errors.Is(errSubject, context.DeadlineExceeded):
		report.add(difference.Difference{Kind: "install hangs", Where: o.Subject.Name, Got: errSubject.Error()})
	case report.Hung:
	case errNPM != nil && errSubject == nil:
		report.add(difference.Difference{Kind: "install succeeds where npm fails", Where: o.Subject.Name, Want: errNPM.Error()})
	case errNPM == nil && errSubject != nil:
		report.add(difference.Difference{Kind: "install failed", Where: o.Subject.Name, Got: errSubject.Error()})
	}
	if errNPM != nil || errSubject != nil {
		return report, nil
	}
	report.Packages, report.Files = len(reference.tree.Packages), len(reference.tree.Files)
	o.step("compare")
	report.add(Compare(reference.lock, subject.lock, reference.tree, subject.tree)...)
	if !o.SkipLoad {
		if err := o.load(report, reference, subject); err != nil {
			return nil, err
		}
	}
	// Last, because it mends what it finds broken in the subject's tree.
	if !o.SkipJudge {
		if err := o.judge(report, reference, subject); err != nil {
			return nil, err
		}
	}
	return report, nil
}

// Compare gives the differences between two results: lockfile, packages and
// files.
func Compare(wantLock, gotLock []byte, want, got *tree.Tree) []difference.Difference {
	list := lockdiff.Diff(wantLock, gotLock)
	list = append(list, tree.Packages(want, got)...)
	return append(list, tree.Files(want, got)...)
}

func (r *Report) add(list ...difference.Difference) {
	r.Differences = append(r.Differences, list...)
}

func (o Options) step(format string, args ...any) {
	if o.Progress != nil {
		o.Progress(fmt.Sprintf(format, args...))
	}
}

// place makes the folders of one install below the scratch folder.
func (o Options) place(label string) (peer.Place, error) {
	root := filepath.Join(o.Scratch, label)
	p := peer.Place{
		Project: filepath.Join(root, "project"), Home: filepath.Join(root, "home"),
		Cache: filepath.Join(root, "cache"), Registry: o.Registry,
	}
	for _, dir := range []string{p.Project, p.Home, p.Cache} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return p, err
		}
	}
	return p, os.WriteFile(filepath.Join(p.Project, "package.json"), o.Manifest, 0o644)
}

func (o Options) install(tool peer.Tool, label string) (*side, error) {
	o.step("install with %s", tool.Name)
	p, err := o.place(label)
	if err != nil {
		return nil, err
	}
	if err := o.run(tool, peer.P0, p); err != nil {
		return nil, err
	}
	s := &side{tool: tool, place: p}
	if s.lock, err = os.ReadFile(filepath.Join(p.Project, "package-lock.json")); err != nil {
		return nil, err
	}
	s.tree, err = tree.Read(p.Project)
	return s, err
}

// run runs a tool's command for a phase. The error holds the end of its output;
// it wraps context.DeadlineExceeded where the command ran into the limit.
func (o Options) run(tool peer.Tool, phase peer.Phase, p peer.Place) error {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(o.Limit, 15*time.Minute))
	defer cancel()
	cmd, err := tool.Command(ctx, phase, p)
	if err != nil {
		return err
	}
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", tool.Name, phase, err, tail(out))
	}
	return nil
}

func tail(out []byte) string {
	return string(bytes.TrimSpace(out[max(0, len(out)-2000):]))
}
