package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"weft/bench/internal/peer"
)

// Run lets a tool install the project whose package.json is given, through the
// registry at the given address, and throws the result away. It blocks until
// the tool ends; the error holds the end of what it printed.
func Run(tool peer.Tool, manifest []byte, registry string) error {
	return inScratch(tool, peer.P0, manifest, registry, func(peer.Place) error { return nil })
}

// Lockfile lets a tool resolve the project without installing it, and returns
// the lockfile.
func Lockfile(tool peer.Tool, manifest []byte, registry string) (lock []byte, err error) {
	err = inScratch(tool, peer.P1, manifest, registry, func(p peer.Place) error {
		lock, err = os.ReadFile(filepath.Join(p.Project, tool.Lockfile()))
		return err
	})
	return lock, err
}

// inScratch runs a tool in folders of its own, which are gone when it returns,
// and calls then before it deletes them.
func inScratch(tool peer.Tool, phase peer.Phase, manifest []byte, registry string, then func(peer.Place) error) (err error) {
	root, err := os.MkdirTemp("", "record-"+tool.Name+"-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	place := peer.Place{
		Project:  filepath.Join(root, "project"),
		Home:     filepath.Join(root, "home"),
		Cache:    filepath.Join(root, "cache"),
		Registry: registry,
	}
	for _, dir := range []string{place.Project, place.Home, place.Cache} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(place.Project, "package.json"), manifest, 0o644); err != nil {
		return err
	}
	cmd, err := tool.Command(context.Background(), phase, place)
	if err != nil {
		return err
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", tool.Name, err, out[max(0, len(out)-4096):])
	}
	return then(place)
}
