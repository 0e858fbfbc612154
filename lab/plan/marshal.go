package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Marshal writes a plan as YAML with every field, defaults too, commands as
// lists of arguments. [Parse] reads the same plan from it. Equal plans give
// equal bytes.
func (p *Plan) Marshal() []byte {
	w := &writer{}
	w.line(0, "name", quote(p.Name))
	w.line(0, "arms", "")
	for _, a := range p.Arms {
		w.arm(a)
	}
	w.items(0, "workloads", len(p.Workloads))
	for _, x := range p.Workloads {
		w.line(1, "- name", quote(x.Name))
		w.values(2, "values", x.Values)
	}
	w.items(0, "matrix", len(p.Matrix))
	for _, m := range p.Matrix {
		w.line(1, quote(m.Name), quotes(m.Values))
	}
	w.line(0, "repeat", strconv.FormatBool(p.Repeat))
	w.line(0, "blocks", strconv.Itoa(p.Blocks))
	w.line(0, "warmups", strconv.Itoa(p.Warmups))
	w.line(0, "confirmations", strconv.Itoa(p.Confirmations))
	w.line(0, "memory_runs", strconv.Itoa(p.MemoryRuns))
	w.line(0, "order", string(p.Order))
	w.line(0, "seed", strconv.FormatUint(p.Seed, 10))
	w.line(0, "padding", strconv.FormatBool(p.Padding))
	w.line(0, "primary", quotes(p.Primary))
	w.items(0, "metrics", len(p.Metrics))
	for _, m := range p.Metrics {
		w.line(1, "- name", quote(m.Name))
		w.line(2, "direction", string(m.Direction))
		w.line(2, "min_effect", number(m.MinEffect))
		w.line(2, "min_difference", number(m.MinDifference))
	}
	w.line(0, "min_effect", number(p.MinEffect))
	w.line(0, "outputs", strconv.Quote(string(p.Outputs)))
	w.line(0, "source", strconv.Quote(string(p.Source)))
	w.line(0, "network", string(p.Network))
	w.line(0, "timeout", duration(p.Timeout))
	w.line(0, "allow_failure", strconv.FormatBool(p.AllowFailure))
	w.line(0, "gate", quotes(p.Gate))
	return w.Bytes()
}

// writer writes block YAML.
type writer struct{ bytes.Buffer }

func (w *writer) line(depth int, name, value string) {
	line := strings.Repeat("  ", depth) + name + ": " + value
	w.WriteString(strings.TrimRight(line, " ") + "\n")
}

// items begins a list or table on lines of its own, and writes an empty one.
func (w *writer) items(depth int, name string, n int) {
	value := ""
	if n == 0 {
		value = map[bool]string{true: "{}", false: "[]"}[name == "matrix" || name == "values" || name == "env"]
	}
	w.line(depth, name, value)
}

func (w *writer) values(depth int, name string, values []Value) {
	w.items(depth, name, len(values))
	for _, v := range values {
		w.line(depth+1, quote(v.Name), quote(v.Text))
	}
}

func (w *writer) arm(a Arm) {
	w.line(1, "- name", quote(a.Name))
	w.line(2, "shell", strconv.FormatBool(a.Shell))
	for _, c := range []struct {
		name string
		Command
	}{{"command", a.Command}, {"setup", a.Setup}, {"prepare", a.Prepare}, {"cleanup", a.Cleanup}} {
		switch {
		case c.None():
		case a.Shell:
			w.line(2, c.name, quote(c.Args[0]))
		default:
			w.line(2, c.name, quotes(c.Args))
		}
	}
	w.line(2, "cwd", quote(a.Cwd))
	var env []Value
	for _, name := range slices.Sorted(maps.Keys(a.Env)) {
		env = append(env, Value{name, a.Env[name]})
	}
	w.values(2, "env", env)
}

// bare are texts that YAML reads as the same text without quotes.
var bare = regexp.MustCompile(`^[A-Za-z./][A-Za-z0-9_./-]*$`)

// words that YAML of some age reads as something else than text.
var words = []string{"true", "false", "yes", "no", "on", "off", "y", "n", "null", "nil", ".inf", ".nan"}

// quote writes a text such that YAML reads it back as text; JSON's strings are
// strings of YAML too.
func quote(text string) string {
	if bare.MatchString(text) && !slices.Contains(words, strings.ToLower(text)) {
		return text
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(text) // a string; never fails
	return strings.TrimSuffix(b.String(), "\n")
}

func quotes(texts []string) string {
	var quoted []string
	for _, text := range texts {
		quoted = append(quoted, quote(text))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func duration(d time.Duration) string { return fmt.Sprint(d) }
