package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"weft/lab/experiment"
	"weft/lab/report"
)

// benchOutput is where a result goes and how it looks there.
type benchOutput struct {
	display
	form     string // "", "json", "markdown" or "html"
	terminal report.Terminal
}

// newBenchOutput reads the flags that addBenchForms declared.
func newBenchOutput(w world, cmd *cobra.Command) (benchOutput, error) {
	o := benchOutput{display: w.display(cmd)}
	for _, form := range []string{"json", "markdown", "html"} {
		if !on(cmd.Flags(), form) {
			continue
		}
		if o.form != "" {
			return o, usage(cmd, "--"+o.form+" and --"+form+" exclude each other", "the run directory has the report in all forms")
		}
		o.form = form
	}
	o.terminal = report.Terminal{All: on(cmd.Flags(), "all") || o.verbose, ASCII: on(cmd.Flags(), "ascii") || !o.unicode()}
	if file, ok := w.stdout.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		o.terminal.Color = !o.noColor && w.getenv("NO_COLOR") == "" && w.getenv("TERM") != "dumb"
		if width, _, err := term.GetSize(int(file.Fd())); err == nil {
			o.terminal.Columns = width
		}
	} else {
		o.terminal.Columns = 140
	}
	return o, nil
}

// unicode reports whether the locale can show more than ASCII; where nothing
// is said it can.
func (o benchOutput) unicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := o.getenv(name); v != "" {
			v = strings.ToUpper(v)
			return strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8")
		}
	}
	return true
}

// progress begins to show progress on stderr, or returns nil.
func (o benchOutput) progress() *benchProgress {
	if o.quiet || o.noProgress || o.form != "" {
		return nil
	}
	options := o.options()
	return startBenchProgress(o.stderr, options.Terminal, options.Width)
}

// experiment prints a result, if there is one; where it is kept goes to stderr.
func (o benchOutput) experiment(e *experiment.Experiment, result bool) error {
	if !o.quiet {
		fmt.Fprintf(o.stderr, "kept in %s\n", e.Dir)
	}
	if !result {
		return nil
	}
	return o.data(e.Data)
}

// data prints a result in the form that was asked for.
func (o benchOutput) data(d report.Data) error {
	switch o.form {
	case "json":
		return report.JSON(o.stdout, d)
	case "markdown":
		return report.Markdown(o.stdout, d)
	case "html":
		return report.HTML(o.stdout, d)
	}
	return o.terminal.Write(o.stdout, d)
}

// history prints many experiments.
func (o benchOutput) history(points []report.Point) error {
	switch o.form {
	case "json":
		return report.HistoryJSON(o.stdout, points)
	case "html":
		return report.HistoryHTML(o.stdout, points)
	}
	return o.terminal.History(o.stdout, points)
}
