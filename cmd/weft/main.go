// Command weft installs what package.json asks for, as npm would, on weft's
// own runtime, and measures which of two programs is faster.
//
// Each verb is one file: it turns its flags into a request and leaves the work
// to the rooms below. root.go holds what verbs share (usage errors, help, exit
// statuses), flags.go npm's spellings, signal.go Ctrl-C, terminal.go what the
// terminal can do.
package main

import (
	"context"
	"io"
	"os"

	"weft/install"
	"weft/install/report"
	measure "weft/lab/run"
)

func main() {
	measure.Launcher() // takes over where this process was started to start programs
	os.Exit(run(os.Args[1:], world{
		stdout: os.Stdout,
		stderr: os.Stderr,
		env:    os.Environ(),

		install: install.Run,
	}))
}

// world is what a command sees of the process around it.
type world struct {
	stdout, stderr io.Writer
	env            []string

	// install is the pipeline that install and ci hand their request to.
	install func(context.Context, install.Options) (*report.Summary, error)
}
