package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"weft/install/report"
)

// display is how a command's output is to look: what the flags ask for and
// what the terminal can do.
type display struct {
	world
	json, quiet, verbose, noColor, noProgress bool
}

// display reads the flags that cmd has; it has them all after parsing.
func (w world) display(cmd *cobra.Command) display {
	has := func(name string) bool {
		on, err := cmd.Flags().GetBool(name)
		return err == nil && on
	}
	color, _ := cmd.Flags().GetString("color")
	return display{
		world: w, json: has("json"), quiet: has("quiet"), verbose: has("verbose"),
		noColor: has("no-color") || color == "false", noProgress: has("no-progress"),
	}
}

func (d display) options() report.Options {
	o := report.Options{
		Stdout: d.stdout, Stderr: d.stderr,
		JSON: d.json, Quiet: d.quiet, Verbose: d.verbose, NoProgress: d.noProgress,
	}
	file, ok := d.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) || d.getenv("TERM") == "dumb" {
		return o
	}
	o.Terminal = true
	o.Color = !d.noColor && d.getenv("NO_COLOR") == ""
	o.Width = func() int {
		width, _, err := term.GetSize(int(file.Fd()))
		if err != nil {
			return 0
		}
		return width
	}
	return o
}

func (w world) getenv(key string) string {
	for i := len(w.env) - 1; i >= 0; i-- {
		if name, value, ok := strings.Cut(w.env[i], "="); ok && name == key {
			return value
		}
	}
	return ""
}
