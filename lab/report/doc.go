// Package report turns what was measured and what it shows into pages for
// people and documents for programs.
//
//	d := report.Data{Baseline: "old", Candidates: []string{"new"}, Runs: runs, Result: analyse.Analyse(in)}
//	err := report.Terminal{Columns: 120, Color: true}.Write(os.Stdout, d)
//
// Data is everything a report is made of: what was compared, on what, the runs,
// and the analysis. The forms are
//
//   - Terminal: tables of plain text, as wide as the terminal, with a small
//     interval plot in characters;
//   - Markdown: for a pull request, with the rest folded away;
//   - JSON: every figure, for programs; Schema is its schema, and Differences
//     compares a stored document with one made anew;
//   - HTML: one page with plots, tables and the raw data inside.
//
// Terminal.History, HistoryHTML and HistoryJSON follow comparisons through many
// experiments.
//
// No figure is computed here: a report shows what lab/analyse found. The only
// arithmetic is for axes, units and quartiles. Equal data make equal bytes.
//
// # Foreign text
//
// Names of arms, commands and the environment are foreign. On a terminal
// control characters become visible escapes; Markdown is escaped; pages are
// made by html/template and forbid by their own policy every script but ours and
// everything from a network.
//
// # How a plot is made
//
// A plot is a list of marks (svg.go) that one template writes. All are 420 units
// wide, so that their text is legible on a telephone; arms differ by shape as
// well as by colour. Dots stand for values, and each plot says how many it
// shows, which the tests count again, in a real browser where there is one.
//
// # What is where
//
//	data.go        what a report is made of, and its sections
//	metric.go      metrics' names, units and numbers
//	figure.go      an estimate with its interval
//	words.go       verdicts, advice and explanations in words
//	terminal.go    the report for terminals; grid.go tables, charplot.go plots
//	markdown.go    the report for pull requests
//	document.go    the report for programs; differ.go compares two
//	html.go        the page; page.html, page.css and page.js are its parts
//	axis.go        axes and ticks
//	svg.go         marks of plots
//	intervals.go   the plot of ratios
//	order.go       the plots of runs in their order and of distributions
//	memory.go      the plot of memory over the time of a run
//	history.go     many experiments
package report
