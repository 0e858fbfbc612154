package experiment

import (
	"fmt"
	"strings"
	"time"

	"weft/lab/plan"
	"weft/lab/record"
	"weft/lab/report"
)

// surroundings are the environment in words, without what is unknown.
func surroundings(e *record.Env) []report.Entry {
	var all []report.Entry
	add := func(name, value string) {
		if value != "" {
			all = append(all, report.Entry{Name: name, Value: value})
		}
	}
	add("system", strings.TrimSpace(e.OS+"/"+e.Arch+" "+e.Kernel))
	add("processor", e.CPU)
	add("processors", number(e.CPUs))
	add("governor", e.Governor)
	add("clock", e.ClockSource)
	add("memory", size(e.MemoryBytes))
	add("container", e.Container)
	if e.CgroupCPUs > 0 {
		add("processors allowed", fmt.Sprintf("%.4g", e.CgroupCPUs))
	}
	add("memory allowed", size(e.CgroupBytes))
	add("load before", load(e.LoadBefore))
	add("load after", load(e.LoadAfter))
	add("go", e.Go)
	add("weft", e.Weft)
	if e.Git != nil {
		text := e.Git.Revision
		if e.Git.Branch != "" {
			text += " (" + e.Git.Branch + ")"
		}
		if e.Git.Changed {
			text += ", with changes"
		}
		add("git", text)
	}
	if e.Blocks > 0 && e.BlocksWhy != "" {
		add("blocks", fmt.Sprintf("%d: %s", e.Blocks, e.BlocksWhy))
	}
	for _, t := range e.Resumed {
		add("resumed", t.UTC().Format(time.RFC3339))
	}
	if !e.Finished.IsZero() {
		add("took", e.Finished.Sub(e.Started).Round(time.Second/10).String())
	}
	add("plan, SHA-256", e.PlanSHA256)
	return append(all, whyAbsent(e)...)
}

// whyAbsent says why metrics have no values, metrics of one reason together.
func whyAbsent(e *record.Env) []report.Entry {
	var reasons []string
	metrics := map[string][]string{}
	for _, name := range record.Metrics {
		reason, ok := e.Absent[name]
		if !ok {
			continue
		}
		if metrics[reason] == nil {
			reasons = append(reasons, reason)
		}
		metrics[reason] = append(metrics[reason], report.Label(name))
	}
	var all []report.Entry
	for _, reason := range reasons {
		all = append(all, report.Entry{Name: "not measured", Value: strings.Join(metrics[reason], ", ") + ": " + reason})
	}
	return all
}

func number(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func size(bytes int64) string {
	if bytes <= 0 {
		return ""
	}
	return fmt.Sprintf("%.4g GiB", float64(bytes)/(1<<30))
}

func load(l *record.Load) string {
	if l == nil {
		return ""
	}
	text := fmt.Sprintf("%.2f, %.2f, %.2f over 1, 5, 15 minutes", l.Averages[0], l.Averages[1], l.Averages[2])
	if l.SwapBytes > 0 {
		text += ", swap used " + size(l.SwapBytes)
	}
	if l.MHz > 0 {
		text += fmt.Sprintf(", %.0f MHz", l.MHz)
	}
	return text
}

// arms describes what was run.
func arms(p *plan.Plan, e *record.Env) []report.Arm {
	var all []report.Arm
	for _, a := range p.Arms {
		r := report.Arm{Name: a.Name, Command: commandText(a.Command)}
		add := func(name, value string) {
			if value != "" {
				r.Details = append(r.Details, report.Entry{Name: name, Value: value})
			}
		}
		add("folder", a.Cwd)
		add("setup", commandText(a.Setup))
		add("prepare", commandText(a.Prepare))
		add("cleanup", commandText(a.Cleanup))
		for _, name := range sortedKeys(a.Env) {
			add("environment", name+"="+a.Env[name])
		}
		for _, b := range e.Binaries {
			if b.Arm != a.Name {
				continue
			}
			add("program", b.Path)
			add("SHA-256", b.Before)
			if b.After != "" && b.After != b.Before {
				add("SHA-256 afterwards", b.After)
			}
		}
		all = append(all, r)
	}
	return all
}

// commandText writes a command for a reader: the text for a shell, or a program
// alone, as it is.
func commandText(c plan.Command) string {
	if len(c.Args) == 1 {
		return c.Args[0]
	}
	return plan.Quote(c.Args)
}
