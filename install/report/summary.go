package report

import (
	"fmt"
	"strings"
	"time"

	"weft/install/scripts"
	"weft/install/target"
)

// Deprecation is a package of the tree whose publisher says not to use it.
type Deprecation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// Message is the publisher's text.
	Message string `json:"message"`
}

// Summary is what an install did: the pipeline's result and the renderer's
// input. The zero value is an install that found nothing to do.
type Summary struct {
	// Added, Changed and Removed count packages of node_modules by location;
	// Kept those that were right already.
	Added, Changed, Removed, Kept int
	// Bytes came over the network, metadata included.
	Bytes int64
	// Duration is wall time.
	Duration time.Duration
	// UpToDate: nothing had to be looked at beyond the state of the last run.
	UpToDate bool
	// LockOnly: only the lockfile was written; Added counts its packages.
	LockOnly bool
	// Blocked are dependencies whose lifecycle scripts were not run, RootScripts
	// the project's own.
	Blocked     []scripts.Note
	RootScripts []scripts.Script
	Deprecated  []Deprecation
	// Warnings are printed together with those given to Reporter.Warn.
	Warnings []Warning
	Target   target.Target
}

// perCode is how many warnings of one code are printed without --verbose.
const perCode = 8

func summaryText(s Summary, o Options) string {
	var b strings.Builder
	b.WriteString(warningsText(s.Warnings, o))
	b.WriteString(headline(s, o))
	if s.Target.IsDefault() {
		fmt.Fprintf(&b, "assumed Node %s, the current LTS, because none was found\n", s.Target.NodeVersion)
		b.WriteString(hintLine("--node-version names the one that will run this project", o))
	} else if o.Verbose && s.Target.NodeVersion != "" {
		fmt.Fprintf(&b, "for Node %s (%s)\n", clean(s.Target.NodeVersion), s.Target.NodeSource)
	}
	if o.Verbose {
		for _, note := range s.Target.Notes {
			b.WriteString("note: " + clean(note) + "\n")
		}
	}
	b.WriteString(deprecatedText(s.Deprecated, o))
	b.WriteString(blockedText(s, o))
	return b.String()
}

// headline is the one line that everybody reads.
func headline(s Summary, o Options) string {
	var did []string
	switch {
	case s.LockOnly && s.Added == 0:
		did = append(did, paint(o, green, "wrote the lockfile"))
	case s.LockOnly:
		did = append(did, paint(o, green, "locked")+" "+count(s.Added, "package"))
	default:
		for _, part := range []struct {
			verb string
			n    int
		}{{"added", s.Added}, {"changed", s.Changed}, {"removed", s.Removed}} {
			if part.n == 0 {
				continue
			}
			text := paint(o, green, part.verb) + fmt.Sprintf(" %d", part.n)
			if len(did) == 0 {
				text = paint(o, green, part.verb) + " " + count(part.n, "package")
			}
			did = append(did, text)
		}
	}
	if len(did) == 0 {
		did = append(did, paint(o, green, "up to date"))
	}
	line := strings.Join(did, ", ") + " in " + span(s.Duration)
	if s.Bytes > 0 {
		line += ", fetched " + size(s.Bytes)
	}
	return line + "\n"
}

// warningsText prints at most perCode warnings of a code.
func warningsText(warnings []Warning, o Options) string {
	var b strings.Builder
	printed, held := map[string]int{}, 0
	for _, w := range warnings {
		if !o.Verbose && printed[w.Code] >= perCode {
			held++
			continue
		}
		printed[w.Code]++
		b.WriteString(paint(o, yellow, "warning:") + " ")
		if w.Package != "" {
			b.WriteString(clean(w.Package) + ": ")
		}
		fmt.Fprintf(&b, "%s (%s)\n", clean(w.What), clean(w.Code))
		if w.Hint != "" {
			b.WriteString("  " + hintLine(w.Hint, o))
		}
	}
	if held > 0 {
		fmt.Fprintf(&b, "%s %d more like these (--verbose prints all)\n", paint(o, yellow, "warning:"), held)
	}
	return b.String()
}

func deprecatedText(list []Deprecation, o Options) string {
	if len(list) == 0 {
		return ""
	}
	is := "are"
	if len(list) == 1 {
		is = "is"
	}
	if !o.Verbose {
		return fmt.Sprintf("%s %s deprecated (--verbose says which)\n", count(len(list), "package"), is)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s deprecated:\n", count(len(list), "package"), is)
	for _, d := range list {
		fmt.Fprintf(&b, "  %s@%s: %s\n", clean(d.Name), clean(d.Version), clean(d.Message))
	}
	return b.String()
}

// commandWidth is how much of a script is printed without --verbose.
const commandWidth = 60

func blockedText(s Summary, o Options) string {
	if len(s.Blocked) == 0 && len(s.RootScripts) == 0 {
		return ""
	}
	var rows [][2]string
	add := func(owner string, list []scripts.Script) {
		for _, script := range list {
			command := clean(script.Command)
			if !o.Verbose {
				command = cut(command, commandWidth)
			}
			text := script.Event
			if command != "" {
				text += ": " + command
			}
			rows = append(rows, [2]string{owner, text})
		}
	}
	add("this project", s.RootScripts)
	for _, note := range s.Blocked {
		add(clean(note.Name+"@"+note.Version), note.Scripts)
	}
	width := 0
	for _, row := range rows {
		width = max(width, len(row[0]))
	}
	var b strings.Builder
	b.WriteString("lifecycle scripts were not run:\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "  %-*s  %s\n", min(width, 40), row[0], row[1])
	}
	if len(s.Blocked) > 0 {
		b.WriteString(hintLine("`npm rebuild NAME` runs those of a package you trust", o))
	}
	return b.String()
}

func hintLine(hint string, o Options) string {
	return paint(o, cyan, "hint:") + " " + clean(hint) + "\n"
}
