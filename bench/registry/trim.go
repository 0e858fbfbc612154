package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"weft/bench/internal/difference"
	"weft/bench/internal/lockdiff"
	"weft/bench/internal/peer"
	"weft/bench/internal/universe"
	"weft/bench/registry/archive"
	"weft/bench/registry/record"
	"weft/bench/registry/serve"
	"weft/internal/regtest"
)

// trimCommand makes a universe from a recording and proves that npm resolves
// it to the same tree.
func trimCommand(args []string) error {
	flags := flag.NewFlagSet("trim", flag.ExitOnError)
	fixture := flags.String("fixture", "S", "fixture of the recording: a folder of bench/fixtures or the path of a package.json")
	data := flags.String("data", "", "recording to trim (required)")
	out := flags.String("out", "", "file to write; empty is universe.json.zst beside the fixture")
	_ = flags.Parse(args) // exits on error
	if *data == "" {
		return errors.New("trim: --data is required")
	}
	if *out == "" {
		*out = filepath.Join("bench", "fixtures", *fixture, "universe.json.zst")
	}
	manifest, err := readFixture(*fixture)
	if err != nil {
		return err
	}
	a, err := archive.Open(*data)
	if err != nil {
		return err
	}
	npm, err := peer.Find("npm", "", "")
	if err != nil {
		return err
	}
	base, stop, err := listen(serve.FromArchive(a, serve.Options{Failed: report}))
	if err != nil {
		return err
	}
	defer stop()
	whole, err := record.Lockfile(npm, manifest, base)
	if err != nil {
		return err
	}
	list, err := universe.Trim(a, whole)
	if err != nil {
		return err
	}
	if err := universe.Save(*out, list); err != nil {
		return err
	}
	return prove(npm, manifest, *out, whole)
}

// prove lets npm resolve the stored universe and compares its lockfile with
// the one from the whole recording. Only addresses and hashes may differ,
// since the small tarballs are others.
func prove(npm peer.Tool, manifest []byte, path string, whole []byte) error {
	list, err := universe.Load(path)
	if err != nil {
		return err
	}
	reg, err := regtest.Start()
	if err != nil {
		return err
	}
	defer reg.Close()
	universe.Publish(reg, list)
	trimmed, err := record.Lockfile(npm, manifest, reg.URL())
	if err != nil {
		return err
	}
	var real []difference.Difference
	for _, d := range lockdiff.Diff(whole, trimmed) {
		if d.Kind != "lockfile resolved" && d.Kind != "lockfile integrity" {
			real = append(real, d)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	versions := 0
	for _, p := range list {
		versions += len(p.Releases)
	}
	fmt.Printf("%s: %d packages, %d versions, %d bytes; npm's lockfile differs in %d places\n",
		path, len(list), versions, info.Size(), len(real))
	if len(real) > 0 {
		difference.Print(os.Stderr, real, 10)
		return errors.New("trim: the universe resolves otherwise than the recording")
	}
	return nil
}
