package npmrc

import (
	"strings"

	"weft/internal/jsonval"
)

// sectionDepthMax limits how deeply "[a.b.c]" nests; a longer name stays one
// flat key.
const sectionDepthMax = 64

// INI is a parsed ini file. It is immutable.
type INI struct {
	root  jsonval.Value
	lines map[string]int
}

// Value gives the file as an object: keys to strings, true, false, null,
// arrays ("key[]=x"), and objects for sections. A value in quotes may be any
// JSON.
func (f *INI) Value() jsonval.Value { return f.root }

// Line is the number, from 1, of the line that set a top-level key last; 0
// where the key is not there.
func (f *INI) Line(key string) int { return f.lines[key] }

// ParseINI reads an ini file by the rules of npm's library. There is no such
// thing as a malformed file: a line that means nothing is skipped.
func ParseINI(data []byte) *INI {
	p := iniParser{out: newSection(), lines: map[string]int{}}
	p.into = p.out
	text := strings.ToValidUTF8(string(data), "\ufffd")
	number := 0
	for len(text) > 0 {
		end := strings.IndexAny(text, "\r\n")
		line, rest := text, ""
		if end >= 0 {
			line, rest = text[:end], text[end+1:]
			if text[end] == '\r' && strings.HasPrefix(rest, "\n") {
				rest = rest[1:]
			}
		}
		number++
		p.line(line, number)
		text = rest
	}
	p.nest()
	return &INI{root: p.out.value(), lines: p.lines}
}

// iniParser carries the state from line to line.
type iniParser struct {
	out   *section
	into  *section // where keys go now; nil where they are dropped
	lines map[string]int
}

func (p *iniParser) line(line string, number int) {
	bare := trimJS(line)
	if bare == "" || bare[0] == ';' || bare[0] == '#' {
		return
	}
	if name, ok := sectionName(line); ok {
		p.open(jsText(unquote(name)))
		return
	}
	rawKey, rawValue, hasValue := strings.Cut(line, "=")
	if rawKey == "" || strings.ContainsAny(rawValue, "\u2028\u2029") {
		return
	}
	key, isArray := jsText(unquote(rawKey)), false
	if len(key) > 2 && strings.HasSuffix(key, "[]") {
		key, isArray = key[:len(key)-2], true
	}
	if key == "__proto__" || p.into == nil {
		return
	}
	value := jsonval.OfBool(true)
	if hasValue {
		value = literal(unquote(rawValue))
	}
	if p.into == p.out {
		p.lines[key] = number
	}
	p.into.assign(key, value, isArray)
}

// sectionName takes the name out of "[name]". White space may follow.
func sectionName(line string) (string, bool) {
	if line[0] != '[' {
		return "", false
	}
	name, tail, found := strings.Cut(line[1:], "]")
	return name, found && trimJS(tail) == ""
}

func (p *iniParser) open(name string) {
	if name == "__proto__" {
		p.into = nil
		return
	}
	old, found := p.out.get(name)
	switch {
	case found && old.section != nil:
		p.into = old.section
	case found && old.leaf.Kind() == jsonval.Object:
		p.into = sectionOf(old.leaf)
		p.out.set(name, node{section: p.into})
	case found && old.leaf.Truthy():
		p.into = nil // keys cannot go into a text, a number or a list
	default:
		p.into = newSection()
		p.out.set(name, node{section: p.into})
	}
}

// nest moves a section named "a.b" into section a, as b.
func (p *iniParser) nest() {
	var moved []string
	for _, key := range p.out.keys() {
		n, _ := p.out.get(key)
		if n.section == nil && n.leaf.Kind() != jsonval.Object && !n.leaf.IsNull() {
			continue
		}
		parts := splitSection(key)
		if len(parts) > sectionDepthMax {
			continue
		}
		last := parts[len(parts)-1]
		name := strings.ReplaceAll(last, `\.`, ".")
		into := p.out
		for _, part := range parts[:len(parts)-1] {
			if part != "__proto__" {
				into = into.child(part)
			}
		}
		if into == p.out && name == last {
			continue
		}
		into.set(name, n)
		moved = append(moved, key)
	}
	for _, key := range moved {
		p.out.remove(key)
		delete(p.lines, key)
	}
}

// splitSection splits a name at dots that have no backslash before them.
func splitSection(name string) []string {
	var parts []string
	start := 0
	for i := range len(name) {
		if name[i] == '.' && (i == 0 || name[i-1] != '\\') {
			parts = append(parts, name[start:i])
			start = i + 1
		}
	}
	return append(parts, name[start:])
}

// literal gives the words true, false and null their meaning.
func literal(v jsonval.Value) jsonval.Value {
	text, _ := v.Str()
	switch text {
	case "true":
		return jsonval.OfBool(true)
	case "false":
		return jsonval.OfBool(false)
	case "null":
		return jsonval.Value{}
	}
	return v
}

// unquote reads a key or a value: what is in quotes as JSON (without the
// quotes, if they are single ones), all else up to a comment, with \; \# and \\
// standing for the characters themselves.
func unquote(raw string) jsonval.Value {
	text := trimJS(raw)
	if text == "" {
		return jsonval.OfString("")
	}
	first, last := text[0], text[len(text)-1]
	if first == last && (first == '"' || first == '\'') {
		if first == '\'' {
			text = text[1:max(1, len(text)-1)]
		}
		if v, err := jsonval.ParseString(text); err == nil && !strings.HasPrefix(text, "\ufeff") {
			return v
		}
		return jsonval.OfString(text)
	}
	if !strings.ContainsAny(text, `\;#`) {
		return jsonval.OfString(text)
	}
	var b strings.Builder
	escaped := false
	for i := range len(text) {
		c := text[i]
		special := c == '\\' || c == ';' || c == '#'
		switch {
		case escaped:
			if !special {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
			escaped = false
		case c == '\\':
			escaped = true
		case special:
			return jsonval.OfString(trimJS(b.String()))
		default:
			b.WriteByte(c)
		}
	}
	if escaped {
		b.WriteByte('\\')
	}
	return jsonval.OfString(trimJS(b.String()))
}
