package npmrc

import (
	"math"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"weft/internal/jsonval"
)

// fields reads the texts of settings: variables are put in, paths made
// absolute, and words and numbers given their meaning where the setting's type
// asks for one.
type fields struct {
	dir, home string
	lookup    func(string) (string, bool)
	missing   func(name string)
}

// parse gives the meaning of a raw value of the setting key. What is neither
// text nor list means itself.
func (p fields) parse(key string, raw jsonval.Value) jsonval.Value {
	kind := definitions[key].types
	if raw.Kind() == jsonval.String && kind&isList != 0 {
		s, _ := raw.Str()
		raw = list(strings.Split(trimJS(s), "\n\n")...)
	}
	switch raw.Kind() {
	case jsonval.String:
		s, _ := raw.Str()
		return p.scalar(kind, trimJS(s))
	case jsonval.Array:
		if kind&isList == 0 {
			return raw
		}
		out := make([]jsonval.Value, 0, raw.Len())
		for _, elem := range raw.Elems() {
			if s, ok := elem.Str(); ok {
				elem = p.scalar(kind, trimJS(s))
			}
			out = append(out, elem)
		}
		return jsonval.OfArray(out...)
	}
	return raw
}

func (p fields) scalar(kind types, s string) jsonval.Value {
	textual := kind&(isString|isPath) != 0
	if kind&isBool != 0 && !textual && s == "" {
		return truth(true)
	}
	if !textual && kind&isNumber == 0 {
		switch s {
		case "true", "false":
			return truth(s == "true")
		case "null", "undefined":
			return none()
		}
	}
	s = expand(s, p.lookup, p.missing)
	if kind&isPath != 0 {
		s = p.path(s)
	}
	if kind&isUmask != 0 {
		if mask, ok := parseUmask(s); ok {
			return number(float64(mask))
		}
		return text(s)
	}
	if kind&isNumber != 0 {
		if f, ok := parseNumber(s); ok {
			return number(f)
		}
	}
	return text(s)
}

func (p fields) path(s string) string {
	if p.home != "" && (strings.HasPrefix(s, "~/") || runtime.GOOS == "windows" && strings.HasPrefix(s, `~\`)) {
		return filepath.Join(p.home, s[2:])
	}
	if filepath.IsAbs(s) {
		return filepath.Clean(s)
	}
	return filepath.Join(p.dir, s)
}

// parseUmask reads octal digits after a 0 or 0o, decimal ones otherwise.
func parseUmask(s string) (int, bool) {
	if strings.HasPrefix(s, "0") {
		digits := strings.TrimPrefix(s[1:], "o")
		if digits == "" && s == "0" {
			return 0, true
		}
		n, err := strconv.ParseUint(digits, 8, 32)
		return int(n), err == nil
	}
	if s == "" || s[0] < '1' || s[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 32)
	return int(n), err == nil
}

// parseNumber reads what JavaScript's Number reads, which takes an empty text
// for 0.
func parseNumber(s string) (float64, bool) {
	s = trimJS(s)
	if s == "" {
		return 0, true
	}
	if len(s) > 2 && s[0] == '0' {
		if base := map[byte]int{'x': 16, 'X': 16, 'o': 8, 'O': 8, 'b': 2, 'B': 2}[s[1]]; base != 0 {
			n, err := strconv.ParseUint(s[2:], base, 64)
			return float64(n), err == nil && s[2] != '+' && s[2] != '-'
		}
	}
	switch strings.TrimLeft(s, "+-") {
	case "Infinity":
		if len(s) > len("Infinity")+1 {
			return 0, false
		}
		return math.Inf(1 - 2*strings.Count(s, "-")), true
	}
	for i := range len(s) { // no hexadecimal floats, underscores, words
		if c := s[i]; (c < '0' || c > '9') && !strings.ContainsRune("+-.eE", rune(c)) {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}
