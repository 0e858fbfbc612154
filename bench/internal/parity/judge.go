package parity

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"

	"weft/bench/internal/difference"
	"weft/bench/internal/lockdiff"
	"weft/bench/internal/peer"
)

// judge asks npm what it thinks of the subject's result: `npm ls --all` finds
// no fault in the tree, `npm ci` accepts the lockfile, and `npm install` over
// the tree leaves the lockfile alone. A complaint that npm makes of its own
// tree as well is no difference.
func (o Options) judge(report *Report, reference, subject *side) error {
	o.step("npm ls --all")
	if out, ok := list(o.NPM, subject.place); !ok {
		if _, own := list(o.NPM, reference.place); own {
			report.add(difference.Difference{Kind: "npm ls fails", Where: "npm ls --all", Got: out})
		}
	}
	o.step("npm ci from the lockfile of %s", subject.tool.Name)
	clean, err := o.place("ci")
	if err != nil {
		return err
	}
	lock := filepath.Join(clean.Project, "package-lock.json")
	if err := os.WriteFile(lock, subject.lock, 0o644); err != nil {
		return err
	}
	if err := o.run(o.NPM, peer.P3, clean); err != nil {
		report.add(difference.Difference{Kind: "npm ci refuses the lockfile", Where: "npm ci", Got: err.Error()})
	}
	if err := unchanged(report, "npm ci", lock, subject.lock); err != nil {
		return err
	}
	o.step("npm install over the tree of %s", subject.tool.Name)
	if err := o.run(o.NPM, peer.P0, subject.place); err != nil {
		report.add(difference.Difference{Kind: "npm install refuses the tree", Where: "npm install", Got: err.Error()})
	}
	return unchanged(report, "npm install", filepath.Join(subject.place.Project, "package-lock.json"), subject.lock)
}

func list(npm peer.Tool, p peer.Place) (output string, ok bool) {
	cmd := exec.Command(npm.Path, "ls", "--all")
	cmd.Dir, cmd.Env = p.Project, npm.Env(p)
	var errors bytes.Buffer
	cmd.Stderr = &errors // the list itself is long and says nothing here
	err := cmd.Run()
	return tail(errors.Bytes()), err == nil
}

func unchanged(report *Report, command, path string, before []byte) error {
	after, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, d := range lockdiff.Diff(before, after) {
		d.Kind = command + " changes: " + d.Kind
		report.add(d)
	}
	return nil
}
