package plan

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// reader turns a tree into a plan. The first mistake stops it.
type reader struct {
	name string
	err  *Error
}

func (r *reader) fail(at place, expected, hint, format string, a ...any) {
	if r.err == nil {
		r.err = &Error{Name: r.name, Line: at.line, Column: at.column, Problem: fmt.Sprintf(format, a...), Expected: expected, Hint: hint}
	}
}

// key is a name that a table may have, and what reads its value.
type key struct {
	name string
	read func(r *reader, field string, n *node)
}

// table reads the fields of a table that is called what.
func (r *reader) table(what string, n *node, keys []key) {
	if n.shape != table {
		r.fail(n.place, table.String(), "", "%s is %s", what, n.shape)
		return
	}
	for _, f := range n.fields {
		found := false
		var known []string
		for _, k := range keys {
			known = append(known, k.name)
			if k.name == f.name {
				found = true
				k.read(r, f.name, f.value)
			}
		}
		if !found {
			hint := ""
			if meant := suggest(f.name, known); meant != "" {
				hint = fmt.Sprintf("did you mean %s?", meant)
			}
			r.fail(f.place, oneOf(known), hint, "%s has no field %q", what, clip(f.name))
		}
		if r.err != nil {
			return
		}
	}
}

func (r *reader) each(field string, n *node, read func(item *node)) {
	if n.shape != list {
		r.fail(n.place, "a list", "", "%s is %s", field, n.shape)
		return
	}
	for _, item := range n.items {
		if read(item); r.err != nil {
			return
		}
	}
}

// scalar reads text, numbers and words as they are written.
func (r *reader) scalar(field string, n *node) string {
	if n.shape != text && n.shape != plain {
		r.fail(n.place, "text or a number", "", "%s is %s", field, n.shape)
	}
	return n.text
}

func asText(to *string) func(*reader, string, *node) {
	return func(r *reader, field string, n *node) { *to = r.scalar(field, n) }
}

// asWord reads one of a few words.
func asWord[T ~string](to *T, allowed []string) func(*reader, string, *node) {
	return func(r *reader, field string, n *node) {
		word := r.scalar(field, n)
		if r.err == nil && !slices.Contains(allowed, word) {
			hint := ""
			if meant := suggest(word, allowed); meant != "" {
				hint = fmt.Sprintf("did you mean %s?", meant)
			}
			r.fail(n.place, oneOf(allowed), hint, "%s is %q", field, clip(word))
		}
		*to = T(word)
	}
}

func asBool(to *bool) func(*reader, string, *node) {
	return func(r *reader, field string, n *node) {
		switch {
		case n.shape == plain && (n.text == "true" || n.text == "false"):
			*to = n.text == "true"
		default:
			r.fail(n.place, "true or false", "", "%s is %s", field, n.describe())
		}
	}
}

// describe says what a node is, in words for a message.
func (n *node) describe() string {
	if n.shape == text || n.shape == plain {
		return strconv.Quote(clip(n.text))
	}
	return n.shape.String()
}

func asWhole[T int | uint64](to *T) func(*reader, string, *node) {
	return func(r *reader, field string, n *node) {
		v, err := strconv.ParseUint(n.text, 10, 53)
		if n.shape != plain || err != nil {
			r.fail(n.place, "a whole number from 0 on", "", "%s is %s", field, n.describe())
			return
		}
		*to = T(v)
	}
}

// Share reads 0.02 or 2%.
func Share(text string) (v float64, ok bool) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// asShare reads what Share does.
func asShare(to *float64) func(*reader, string, *node) {
	return func(r *reader, field string, n *node) {
		v, ok := Share(n.text)
		if n.shape != plain && n.shape != text || !ok {
			r.fail(n.place, "a share such as 0.02 or 2%", "", "%s is %s", field, n.describe())
			return
		}
		*to = v
	}
}

func asNumber(to *float64) func(*reader, string, *node) {
	return func(r *reader, field string, n *node) {
		v, err := strconv.ParseFloat(n.text, 64)
		if n.shape != plain || err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			r.fail(n.place, "a number", "", "%s is %s", field, n.describe())
			return
		}
		*to = v
	}
}

// asTime reads 90s, 1m30s or a number of seconds.
func asTime(to *time.Duration) func(*reader, string, *node) {
	return func(r *reader, field string, n *node) {
		d, err := time.ParseDuration(n.text)
		if n.shape == plain && err != nil {
			seconds, e := strconv.ParseFloat(n.text, 64)
			if d, err = time.Duration(seconds*float64(time.Second)), e; !(seconds >= 0 && seconds < 1e8) {
				err = strconv.ErrRange
			}
		}
		if n.shape != plain && n.shape != text || err != nil {
			r.fail(n.place, "a time such as 90s or 1m30s, or a number of seconds", "", "%s is %s", field, n.describe())
			return
		}
		*to = d
	}
}

// asNames reads a list of texts; a single one may stand for itself.
func asNames(to *[]string) func(*reader, string, *node) {
	return func(r *reader, field string, n *node) {
		*to = nil
		if n.shape == text {
			*to = []string{n.text}
			return
		}
		r.each(field, n, func(item *node) { *to = append(*to, r.scalar(field, item)) })
	}
}

// asValues reads a table of texts in the order of the file.
func asValues(to *[]Value) func(*reader, string, *node) {
	return func(r *reader, field string, n *node) {
		if n.shape != table {
			r.fail(n.place, table.String(), "", "%s is %s", field, n.shape)
			return
		}
		for _, f := range n.fields {
			*to = append(*to, Value{f.name, r.scalar(field+"."+clip(f.name), f.value)})
		}
	}
}
