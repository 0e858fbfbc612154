//go:build weftsim

package checker

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"weft/internal/sy"
)

// site is the place in the code under test from which the present step came: the
// first caller that is neither here nor in package sy.
func site() string {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.Contains(f.Function, "weft/internal/sy.") && !strings.Contains(f.Function, "weft/internal/checker.(") {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}

func (x *Explorer) label(op sy.Op) string {
	if op.At == nil {
		return ""
	}
	return fmt.Sprintf("object %d", x.object(op.At).number)
}

// describe is a step in words.
func (x *Explorer) describe(t *thread) string {
	return fmt.Sprintf("%4d  %-16s %-17s %-10s %s", x.steps, t.name, t.pending.Kind, x.label(t.pending), t.site)
}

// Format writes choices briefly: 0x3,1 is thread 0 three times and then thread 1.
func Format(choices []int) string {
	var parts []string
	for i := 0; i < len(choices); {
		n := i
		for n < len(choices) && choices[n] == choices[i] {
			n++
		}
		part := strconv.Itoa(choices[i])
		if n-i > 1 {
			part += "x" + strconv.Itoa(n-i)
		}
		parts = append(parts, part)
		i = n
	}
	return strings.Join(parts, ",")
}

// Parse reads what Format wrote.
func Parse(text string) (choices []int, err error) {
	for _, part := range strings.Split(text, ",") {
		value, count, counted := strings.Cut(part, "x")
		v, err := strconv.Atoi(value)
		if err != nil {
			return nil, fmt.Errorf("checker: choice %q: %w", part, err)
		}
		n := 1
		if counted {
			if n, err = strconv.Atoi(count); err != nil {
				return nil, fmt.Errorf("checker: choice %q: %w", part, err)
			}
		}
		for range n {
			choices = append(choices, v)
		}
	}
	return choices, nil
}
