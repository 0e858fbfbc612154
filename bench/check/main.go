// Command check installs a project with npm and with weft and counts every
// difference between the two results.
//
//	go run ./bench/check --fixture S --weft ./weft
//	go run ./bench/check --fixture M --weft ./weft --data DIR
//
// Without --data or --registry it asks npm's public registry; --data serves a
// recording of bench/registry on loopback instead. With --subject npm it
// compares npm with itself, which must give nothing. It exits with 0 when the
// results are equal, 3 when they differ, and 1 when it could not tell.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"weft/bench/internal/difference"
	"weft/bench/internal/parity"
	"weft/bench/internal/peer"
	"weft/bench/registry/serve"
	"weft/npm/npmrc"
)

type options struct {
	fixture, weft, subject, registry, data, scratch string
	keep, noLoad, asJSON                            bool
	examples                                        int
}

func main() {
	var o options
	flag.StringVar(&o.fixture, "fixture", "S", "project to install: a folder of bench/fixtures or the path of a package.json")
	flag.StringVar(&o.weft, "weft", "", "weft's program")
	flag.StringVar(&o.subject, "subject", "weft", "tool to compare with npm: weft or npm")
	flag.StringVar(&o.registry, "registry", npmrc.DefaultRegistry, "registry to install from")
	flag.StringVar(&o.data, "data", "", "recording to serve on loopback instead")
	flag.StringVar(&o.scratch, "scratch", os.TempDir(), "folder for the installs")
	flag.BoolVar(&o.keep, "keep", false, "keep the installs")
	flag.BoolVar(&o.noLoad, "no-load", false, "do not load the direct dependencies")
	flag.BoolVar(&o.asJSON, "json", false, "print the report as JSON")
	flag.IntVar(&o.examples, "examples", 5, "examples to print of each kind; -1 prints all")
	flag.Parse()
	report, err := check(o)
	if err == nil {
		err = show(report, o)
	}
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	case len(report.Differences) > 0:
		os.Exit(3)
	}
}

func check(o options) (report *parity.Report, err error) {
	p := parity.Options{
		Registry: o.registry, SkipLoad: o.noLoad,
		Progress: func(step string) {
			fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), step)
		},
	}
	if !strings.HasSuffix(o.fixture, ".json") {
		o.fixture = filepath.Join("bench", "fixtures", o.fixture, "package.json")
	}
	if p.Manifest, err = os.ReadFile(o.fixture); err != nil {
		return nil, err
	}
	if p.NPM, err = peer.Find("npm", "", ""); err != nil {
		return nil, err
	}
	if p.Subject, err = peer.Find(o.subject, o.weft, ""); err != nil {
		return nil, err
	}
	if p.Scratch, err = os.MkdirTemp(o.scratch, "check-"); err != nil {
		return nil, err
	}
	if o.keep {
		fmt.Fprintln(os.Stderr, "installs in", p.Scratch)
	} else {
		defer func() { err = errors.Join(err, os.RemoveAll(p.Scratch)) }()
	}
	if o.data != "" {
		stop, base, err := serveData(o.data)
		if err != nil {
			return nil, err
		}
		defer stop()
		p.Registry = base
	}
	return parity.Check(p)
}

// serveData serves a recording in this process until stop is called.
func serveData(data string) (stop func(), base string, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- serve.Run(ctx, data, "127.0.0.1:0", serve.Options{}, func(base string) { ready <- base })
	}()
	stop = func() {
		cancel()
		<-ended
	}
	select {
	case base = <-ready:
		return stop, base, nil
	case err = <-ended:
		cancel()
		return nil, "", err
	}
}

func show(r *parity.Report, o options) error {
	if o.asJSON {
		return json.NewEncoder(os.Stdout).Encode(r)
	}
	fmt.Printf("%s: npm installed %d packages, %d files and folders", o.fixture, r.Packages, r.Files)
	if !o.noLoad {
		fmt.Printf("; %d direct dependencies load", r.Loaded)
	}
	fmt.Printf("\n%d differences\n", len(r.Differences))
	difference.Print(os.Stdout, r.Differences, o.examples)
	return nil
}
