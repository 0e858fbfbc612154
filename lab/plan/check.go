package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a plan. Files may come from anywhere.
const (
	FileBytesMax  = 256 << 10
	DepthMax      = 20 // of values within values
	ArmsMax       = 20
	CellsMax      = 1000
	BlocksMax     = 10_000
	RunsMax       = 1_000_000 // of all series together
	WarmupsMax    = 1000
	ConfirmMax    = 20
	MetricsMax    = 100
	NameBytesMax  = 80
	CellBytesMax  = 400
	TextBytesMax  = 16 << 10 // of an argument, a value, a variable
	ArgsMax       = 1000
	seedMax       = 1<<53 - 1 // what JSON numbers hold exactly
	valuesMax     = 1000      // of a workload, a parameter, an environment
	workloadsMax  = 1000
	parametersMax = 20
)

// Error is a mistake in a plan, with its place where it came from a file.
type Error struct {
	Name         string // of the file, or what stands for it
	Line, Column int    // from 1; 0 is unknown
	Problem      string // what was found
	Expected     string // what was expected
	Hint         string // what to do, "" if there is nothing to say
}

// Error gives "file:line:column: problem; expected ...", without the hint.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("plan: ")
	if e.Name != "" {
		b.WriteString(e.Name)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		if e.Line > 0 && e.Column > 0 {
			fmt.Fprintf(&b, ":%d", e.Column)
		}
		b.WriteString(": ")
	}
	b.WriteString(e.Problem)
	if e.Expected != "" {
		b.WriteString("; expected " + e.Expected)
	}
	return b.String()
}

// validName: printable, no apostrophe (the repeat's mark), no comma or quote
// (the record's), no space at either end.
func validName(name string) bool {
	if name == "" || len(name) > NameBytesMax || !utf8.ValidString(name) || strings.TrimSpace(name) != name {
		return false
	}
	for _, c := range name {
		if !unicode.IsPrint(c) || strings.ContainsRune(`'",`, c) {
			return false
		}
	}
	return true
}

const expectedName = "up to 80 printable characters without quotes and commas"

// Validate reports the first thing that makes no sense, as an [*Error] whose
// Problem begins with the field. A plan from [Parse] or [FromCommands] has
// been validated.
func (p *Plan) Validate() error {
	for _, check := range []func() *Error{p.checkArms, p.checkWorkloads, p.checkNumbers, p.checkMetrics, p.checkSize, p.checkMarks} {
		if e := check(); e != nil {
			return e
		}
	}
	return nil
}

func wrong(field, format string, a ...any) *Error {
	return &Error{Problem: field + ": " + fmt.Sprintf(format, a...)}
}

func (p *Plan) checkArms() *Error {
	if len(p.Arms) == 0 || len(p.Arms) > ArmsMax {
		return &Error{Problem: fmt.Sprintf("arms: there are %d", len(p.Arms)), Expected: fmt.Sprintf("1 to %d, the first being the baseline", ArmsMax)}
	}
	seen := map[string]bool{}
	for i, a := range p.Arms {
		field := fmt.Sprintf("arms[%d]", i)
		switch {
		case !validName(a.Name):
			return &Error{Problem: fmt.Sprintf("%s.name: %q", field, clip(a.Name)), Expected: expectedName}
		case seen[a.Name]:
			return &Error{Problem: fmt.Sprintf("%s.name: a second arm is called %q", field, a.Name), Expected: "names that differ"}
		case a.Command.None() || a.Command.Args[0] == "":
			return &Error{Problem: field + ".command: there is no program", Expected: "a program and its arguments"}
		}
		seen[a.Name] = true
		if e := a.checkTexts(field); e != nil {
			return e
		}
	}
	if len(p.Arms) == 1 && !p.Repeat {
		return &Error{Problem: "arms: there is one, and repeat is off: nothing to compare", Expected: "two arms, or repeat: true"}
	}
	return nil
}

func (a Arm) checkTexts(field string) *Error {
	for i, c := range []Command{a.Command, a.Setup, a.Prepare, a.Cleanup} {
		name := [...]string{"command", "setup", "prepare", "cleanup"}[i]
		if len(c.Args) > ArgsMax || a.Shell && len(c.Args) > 1 {
			return &Error{Problem: fmt.Sprintf("%s.%s: it has %d arguments", field, name, len(c.Args)), Expected: fmt.Sprintf("up to %d, and one text with shell: true", ArgsMax)}
		}
		for _, arg := range c.Args {
			if !validText(arg) {
				return wrong(field+"."+name, "an argument is longer than %d bytes or holds a NUL", TextBytesMax)
			}
		}
	}
	if len(a.Env) > valuesMax {
		return wrong(field+".env", "it has more than %d variables", valuesMax)
	}
	for _, name := range slices.Sorted(maps.Keys(a.Env)) {
		value := a.Env[name]
		if name == "" || strings.ContainsAny(name, "=\x00") || !validText(name) || !validText(value) {
			return wrong(field+".env", "%q cannot be set", clip(name))
		}
	}
	if !validText(a.Cwd) {
		return wrong(field+".cwd", "it is longer than %d bytes or holds a NUL", TextBytesMax)
	}
	return nil
}

func validText(text string) bool {
	return len(text) <= TextBytesMax && !strings.Contains(text, "\x00") && utf8.ValidString(text)
}

func clip(text string) string {
	if len(text) > 60 {
		return strings.ToValidUTF8(text[:60], "") + "..."
	}
	return text
}

func validMark(name string) bool {
	return len(name) <= NameBytesMax && marks.FindString("{"+name+"}") == "{"+name+"}"
}

func (p *Plan) checkWorkloads() *Error {
	seen := map[string]bool{}
	if len(p.Workloads) > workloadsMax || len(p.Matrix) > parametersMax {
		return wrong("workloads", "there are %d workloads and %d parameters; up to %d and %d are allowed", len(p.Workloads), len(p.Matrix), workloadsMax, parametersMax)
	}
	for i, w := range p.Workloads {
		field := fmt.Sprintf("workloads[%d]", i)
		if !validName(w.Name) {
			return &Error{Problem: fmt.Sprintf("%s.name: %q", field, clip(w.Name)), Expected: expectedName}
		}
		if seen[w.Name] {
			return &Error{Problem: fmt.Sprintf("%s.name: a second workload is called %q", field, w.Name), Expected: "names that differ"}
		}
		seen[w.Name] = true
		if e := checkValues(field+".values", w.Values); e != nil {
			return e
		}
	}
	parameters := map[string]bool{"arm": true, "workload": true}
	for i, m := range p.Matrix {
		field := "matrix." + clip(m.Name)
		if !validMark(m.Name) || parameters[m.Name] {
			return &Error{Problem: fmt.Sprintf("matrix: %q cannot be the name of parameter %d", clip(m.Name), i+1), Expected: "letters, digits and _, not beginning with a digit, each name once, not arm or workload"}
		}
		parameters[m.Name] = true
		if len(m.Values) == 0 || len(m.Values) > valuesMax {
			return &Error{Problem: fmt.Sprintf("%s: it has %d values", field, len(m.Values)), Expected: fmt.Sprintf("1 to %d", valuesMax)}
		}
		values := map[string]bool{}
		for _, v := range m.Values {
			if !validName(v) || values[v] {
				return &Error{Problem: fmt.Sprintf("%s: %q", field, clip(v)), Expected: expectedName + ", each once"}
			}
			values[v] = true
		}
	}
	for _, w := range p.Workloads {
		for _, v := range w.Values {
			if parameters[v.Name] {
				return wrong("workloads", "%q is a name of the matrix too, or is arm or workload", v.Name)
			}
		}
	}
	return nil
}

func checkValues(field string, values []Value) *Error {
	if len(values) > valuesMax {
		return wrong(field, "there are %d, more than %d", len(values), valuesMax)
	}
	seen := map[string]bool{}
	for _, v := range values {
		if !validMark(v.Name) || seen[v.Name] {
			return &Error{Problem: fmt.Sprintf("%s: %q cannot be a name", field, clip(v.Name)), Expected: "letters, digits and _, not beginning with a digit, each once"}
		}
		seen[v.Name] = true
		if !validText(v.Text) {
			return wrong(field+"."+v.Name, "it is longer than %d bytes or holds a NUL", TextBytesMax)
		}
	}
	return nil
}

func (p *Plan) checkNumbers() *Error {
	for _, x := range []struct {
		field  string
		n, max int
	}{
		{"blocks", p.Blocks, BlocksMax}, {"warmups", p.Warmups, WarmupsMax},
		{"confirmations", p.Confirmations, ConfirmMax}, {"memory_runs", p.MemoryRuns, BlocksMax},
	} {
		if x.n < 0 || x.n > x.max {
			return &Error{Problem: fmt.Sprintf("%s: %d", x.field, x.n), Expected: fmt.Sprintf("0 to %d", x.max)}
		}
	}
	switch {
	case p.Seed > seedMax:
		return &Error{Problem: fmt.Sprintf("seed: %d", p.Seed), Expected: fmt.Sprintf("0 to %d", uint64(seedMax))}
	case !(p.MinEffect > 0 && p.MinEffect <= 10):
		return &Error{Problem: fmt.Sprintf("min_effect: %v", p.MinEffect), Expected: "a share above 0, up to 10, such as 0.02 or 2%"}
	case p.Timeout <= 0:
		return &Error{Problem: fmt.Sprintf("timeout: %v", p.Timeout), Expected: "a time above 0, such as 30s"}
	case p.Name != "" && !validText(p.Name) || len(p.Name) > 200:
		return wrong("name", "it is longer than 200 bytes or holds a NUL")
	}
	for _, x := range []struct {
		field, value string
		allowed      []string
	}{
		{"order", string(p.Order), orders}, {"outputs", string(p.Outputs), outputs},
		{"source", string(p.Source), sources}, {"network", string(p.Network), networks},
	} {
		if !slices.Contains(x.allowed, x.value) {
			return &Error{Problem: fmt.Sprintf("%s: %q", x.field, clip(x.value)), Expected: oneOf(x.allowed)}
		}
	}
	for _, verdict := range p.Gate {
		if !slices.Contains(GateWords, verdict) {
			return &Error{Problem: fmt.Sprintf("gate: %q", clip(verdict)), Expected: oneOf(GateWords)}
		}
	}
	return nil
}

// GateWords are what a gate may name: verdicts, "regression" for slower or
// worse, and "tail-sensitive".
var GateWords = []string{
	"slower", "faster", "worse", "better", "lower", "higher", "equivalent", "inconclusive", "absent", "regression", "tail-sensitive",
}

var (
	orders     = []string{string(Paired), string(Shuffled)}
	outputs    = []string{string(OutputsOff), string(OutputsEqual)}
	sources    = []string{string(SourceNone), string(SourceLines), string(SourceGoBench)}
	networks   = []string{string(NetworkHost), string(NetworkIsolated)}
	directions = []string{string(Less), string(More), string(Neither)}
)

func oneOf(allowed []string) string { return "one of " + strings.Join(allowed, ", ") }

func (p *Plan) checkMetrics() *Error {
	if len(p.Primary) == 0 || len(p.Primary) > MetricsMax || len(p.Metrics) > MetricsMax {
		return &Error{Problem: fmt.Sprintf("primary: there are %d names, and %d metrics", len(p.Primary), len(p.Metrics)), Expected: fmt.Sprintf("1 to %d names, 0 to %d metrics", MetricsMax, MetricsMax)}
	}
	seen := map[string]bool{}
	for _, name := range p.Primary {
		if !validName(name) || seen[name] {
			return &Error{Problem: fmt.Sprintf("primary: %q", clip(name)), Expected: "names of metrics, each once"}
		}
		seen[name] = true
	}
	seen = map[string]bool{}
	for i, m := range p.Metrics {
		field := fmt.Sprintf("metrics[%d]", i)
		switch {
		case !validName(m.Name) || seen[m.Name]:
			return &Error{Problem: fmt.Sprintf("%s.name: %q", field, clip(m.Name)), Expected: "a metric's name, each once"}
		case !slices.Contains(directions, string(m.Direction)):
			return &Error{Problem: fmt.Sprintf("%s.direction: %q", field, clip(string(m.Direction))), Expected: oneOf(directions)}
		case !(m.MinEffect >= 0 && m.MinEffect <= 10) || !(m.MinDifference >= 0 && m.MinDifference < 1e60):
			return wrong(field, "min_effect %v or min_difference %v is out of range", m.MinEffect, m.MinDifference)
		}
		seen[m.Name] = true
	}
	return nil
}

// checkSize bounds cells and runs before they are made.
func (p *Plan) checkSize() *Error {
	cells := max(1, len(p.Workloads))
	for _, m := range p.Matrix {
		if cells *= len(m.Values); cells > CellsMax {
			return &Error{Problem: fmt.Sprintf("matrix: workloads and parameters make more than %d cells", CellsMax), Expected: "fewer workloads or values"}
		}
	}
	blocks := p.Blocks
	if blocks == 0 {
		blocks = BlocksMost
	}
	arms := len(p.ArmNames())
	if runs := cells * arms * (blocks*(1+p.Confirmations) + p.Warmups + p.MemoryRuns); runs > RunsMax {
		return &Error{Problem: fmt.Sprintf("blocks: the plan has %d runs", runs), Expected: fmt.Sprintf("at most %d", RunsMax)}
	}
	names := map[string]bool{}
	for _, c := range p.Cells() {
		if names[c.Name] || len(c.Name) > CellBytesMax {
			return &Error{Problem: fmt.Sprintf("matrix: the cell %q is there twice, or its name is longer than %d bytes", clip(c.Name), CellBytesMax), Expected: "shorter names that differ"}
		}
		names[c.Name] = true
	}
	return nil
}

// checkMarks sees to it that every {name} in a command has a value in every
// cell.
func (p *Plan) checkMarks() *Error {
	cells := p.Cells()
	for i, a := range p.Arms {
		used := a.marks()
		for _, c := range cells {
			have := map[string]bool{}
			for _, v := range c.values(a.Name) {
				have[v.Name] = true
			}
			for _, name := range used {
				if !have[name] {
					return &Error{Problem: fmt.Sprintf("arms[%d]: {%s} has no value in workload %q", i, name, clip(c.Name)), Expected: "names of the workload's values and of the matrix, arm or workload", Hint: fmt.Sprintf("write {{%s}} for the text {%s}", name, name)}
				}
			}
		}
	}
	return nil
}
