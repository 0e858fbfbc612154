package plan

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Cell is a workload with one value of each parameter of the matrix.
type Cell struct {
	Name   string
	Values []Value
}

// Cells lists workloads times the matrix, the last parameter changing fastest.
// There is always one.
func (p *Plan) Cells() []Cell {
	cells := []Cell{{}}
	if len(p.Workloads) > 0 {
		cells = nil
		for _, w := range p.Workloads {
			cells = append(cells, Cell(w))
		}
	}
	for _, parameter := range p.Matrix {
		var next []Cell
		for _, c := range cells {
			for _, text := range parameter.Values {
				name := strings.TrimPrefix(c.Name+" "+parameter.Name+"="+text, " ")
				values := append(append([]Value(nil), c.Values...), Value{parameter.Name, text})
				next = append(next, Cell{Name: name, Values: values})
			}
		}
		cells = next
	}
	if cells[0].Name == "" {
		cells[0].Name = OnlyCell
	}
	return cells
}

// marks are {name} and {{name}}; a "$" before the brace leaves it alone.
var marks = regexp.MustCompile(`\$?\{\{?[A-Za-z_][A-Za-z0-9_]*\}\}?`)

// mark is what [marks] found: a name in braces, and what else was matched.
type mark struct {
	before, name, after string
	literal             bool // stands for itself, without one pair of braces
	shell               bool // a shell's variable
}

func cut(text string) mark {
	m := mark{name: strings.Trim(text, "${}"), shell: text[0] == '$'}
	opened, closed := strings.HasPrefix(text, "{{"), strings.HasSuffix(text, "}}")
	switch {
	case opened && closed:
		m.literal = true
	case opened:
		m.before = "{"
	case closed:
		m.after = "}"
	}
	return m
}

// substitute replaces {name} by its value. It fails on a name that is not
// there, and where values add more than [TextBytesMax].
func substitute(text string, values []Value) (string, error) {
	unknown, size := "", len(text)
	result := marks.ReplaceAllStringFunc(text, func(text string) string {
		m := cut(text)
		switch {
		case m.shell:
			return text
		case m.literal:
			return text[1 : len(text)-1]
		}
		for _, v := range values {
			if v.Name == m.name {
				if size += len(v.Text); size > TextBytesMax+len(text) {
					return ""
				}
				return m.before + v.Text + m.after
			}
		}
		unknown = m.name
		return text
	})
	if unknown != "" {
		return "", fmt.Errorf("{%s} is no value of the workload or the matrix", unknown)
	}
	if size > TextBytesMax+len(text) {
		return "", fmt.Errorf("with its values filled in, it is longer than %d bytes", TextBytesMax)
	}
	return result, nil
}

// literal writes a text such that substitute gives it back.
func literal(text string) string {
	return marks.ReplaceAllStringFunc(text, func(text string) string {
		m := cut(text)
		switch {
		case m.shell:
			return text
		case m.literal:
			return "{" + text + "}"
		}
		return m.before + "{{" + m.name + "}}" + m.after
	})
}

// marks lists the names that stand in braces in any of the arm's texts.
func (a Arm) marks() []string {
	texts := []string{a.Cwd}
	for _, c := range []Command{a.Command, a.Setup, a.Prepare, a.Cleanup} {
		texts = append(texts, c.Args...)
	}
	for _, value := range a.Env {
		texts = append(texts, value)
	}
	names := map[string]bool{}
	for _, text := range texts {
		for _, found := range marks.FindAllString(text, -1) {
			if m := cut(found); !m.shell && !m.literal {
				names[m.name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// values of a cell as an arm's commands see them.
func (c Cell) values(arm string) []Value {
	return append(append([]Value(nil), c.Values...), Value{"arm", arm}, Value{"workload", c.Name})
}

// In gives the arm as it runs in a cell: commands, environment and folder with
// all {name} replaced. {arm} is the arm's own name, in the repeat too, so that
// both runs of the baseline do the same. It fails on a {name} that has no
// value, which a checked plan has not.
func (a Arm) In(c Cell) (Arm, error) {
	values := c.values(a.Name)
	var failed error
	fill := func(text string) string {
		result, err := substitute(text, values)
		if err != nil && failed == nil {
			failed = fmt.Errorf("arm %s: %w", a.Name, err)
		}
		return result
	}
	for _, command := range []*Command{&a.Command, &a.Setup, &a.Prepare, &a.Cleanup} {
		args := make([]string, len(command.Args))
		for i, arg := range command.Args {
			args[i] = fill(arg)
		}
		command.Args = args
	}
	env := make(map[string]string, len(a.Env))
	for name, value := range a.Env {
		env[name] = fill(value)
	}
	a.Env, a.Cwd = env, fill(a.Cwd)
	return a, failed
}
