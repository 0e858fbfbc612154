package npmrc

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"weft/internal/jsonval"
)

// Config is the settings of all layers. Make one with [Load]; it is immutable
// and safe for concurrent use, and none of its methods blocks.
type Config struct {
	env          map[string]string
	dir, home    string
	projectDir   string
	workspaceDir string
	globalConfig string
	sources      [layers]string
	sets         [layers]map[string]setting
	warnings     []Warning
}

type setting struct {
	value jsonval.Value
	line  int
}

// Setting is one layer's value of a key, for explaining where a value comes
// from.
type Setting struct {
	Layer Layer
	// Source is the file, or "environment", "command line options",
	// "default values".
	Source string
	// Line is the line in the file, from 1; 0 where there is none.
	Line int
	// Value is the text of the value; a secret shows as "(protected)".
	Value string
}

// Warning is something in the settings that deserves a look. No warning keeps
// anything from working.
type Warning struct {
	Layer  Layer
	Source string
	Line   int    // from 1; 0 where there is none
	Key    string // "" where the whole source is meant
	Reason string
}

// String gives "source:line: key reason".
func (w Warning) String() string {
	var b strings.Builder
	b.WriteString(w.Source)
	if w.Line > 0 {
		fmt.Fprintf(&b, ":%d", w.Line)
	}
	b.WriteString(": ")
	if w.Key != "" {
		b.WriteString(w.Key + " ")
	}
	b.WriteString(w.Reason)
	return b.String()
}

func (c *Config) warn(w Warning) { c.warnings = append(c.warnings, w) }

// Warnings lists what was found odd while reading, in order of source, line
// and key. Values are never quoted.
func (c *Config) Warnings() []Warning {
	out := slices.Clone(c.warnings)
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.Layer != b.Layer {
			return a.Layer < b.Layer
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Key < b.Key
	})
	return out
}

// Value gives the strongest layer's value of a key, of its type: a text, a
// number, a truth, an array, an object where a file has a section of that name,
// or null. Paths are absolute. The second result is false where no layer has
// the key.
func (c *Config) Value(key string) (jsonval.Value, bool) {
	for layer := layers - 1; layer >= 0; layer-- {
		if s, found := c.sets[layer][key]; found {
			return s.value, true
		}
	}
	return jsonval.Value{}, false
}

// Get gives a value as text: "" for null and for a key that is not there, the
// parts of a list joined by commas.
func (c *Config) Get(key string) string {
	v, _ := c.Value(key)
	if v.IsNull() {
		return ""
	}
	return jsText(v)
}

// Bool tells whether a value is on. null, false, 0 and the texts "", "0" and
// "false" are off, all else is on.
func (c *Config) Bool(key string) bool {
	v, _ := c.Value(key)
	return isOn(v)
}

func isOn(v jsonval.Value) bool {
	if s, ok := v.Str(); ok {
		if f, ok := parseNumber(s); ok {
			return f != 0
		}
		return s != "false" && s != "null"
	}
	return v.Truthy()
}

// Int gives a number, cut to a whole one. A value that is no number counts as
// the default, and infinity as the largest int.
func (c *Config) Int(key string) int {
	return clampInt(c.Float(key))
}

func clampInt(f float64) int {
	switch {
	case f >= math.MaxInt32:
		return math.MaxInt32
	case f <= math.MinInt32:
		return math.MinInt32
	}
	return int(f)
}

// Float gives a number. A value that is no number counts as the default, and a
// key without one as 0.
func (c *Config) Float(key string) float64 {
	v, _ := c.Value(key)
	if f, ok := v.Num(); ok && !math.IsNaN(f) {
		return f
	}
	f, _ := definitions[key].value.Num()
	return f
}

// Duration gives a number of milliseconds as a duration, at most a year.
func (c *Config) Duration(key string) time.Duration {
	const longest = 365 * 24 * time.Hour
	return time.Duration(min(max(c.Float(key), 0), float64(longest/time.Millisecond)) * float64(time.Millisecond))
}

// List gives the texts of a list. A single value is a list of one, null and
// "" are an empty one.
func (c *Config) List(key string) []string {
	v, _ := c.Value(key)
	var out []string
	elems := v.Elems()
	if v.Kind() != jsonval.Array {
		elems = []jsonval.Value{v}
	}
	for _, elem := range elems {
		if s := jsText(elem); s != "" && !elem.IsNull() {
			out = append(out, s)
		}
	}
	return out
}

// IsDefault reports whether no layer but the default has the key.
func (c *Config) IsDefault(key string) bool {
	layer, _ := c.Origin(key)
	return layer == Default
}

// Origin gives the layer whose value counts. The second result is false where
// no layer has the key.
func (c *Config) Origin(key string) (Layer, bool) {
	for layer := layers - 1; layer >= 0; layer-- {
		if _, found := c.sets[layer][key]; found {
			return Layer(layer), true
		}
	}
	return Default, false
}

// Explain gives every layer's value of a key, the one that counts first.
func (c *Config) Explain(key string) []Setting {
	var out []Setting
	for layer := layers - 1; layer >= 0; layer-- {
		s, found := c.sets[layer][key]
		if !found {
			continue
		}
		shown := "(protected)"
		if !secret(key) {
			shown = string(jsonval.AppendJSON(nil, s.value, "", ""))
		}
		out = append(out, Setting{Layer: Layer(layer), Source: c.sources[layer], Line: s.line, Value: shown})
	}
	return out
}

// Keys lists every key that some layer has, sorted.
func (c *Config) Keys() []string {
	seen := map[string]bool{}
	for _, set := range c.sets {
		for key := range set {
			seen[key] = true
		}
	}
	keys := make([]string, 0, len(seen))
	for key := range seen {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// Source gives the file of a layer, whether it exists or not, or words that
// say what the layer is.
func (c *Config) Source(layer Layer) string { return c.sources[layer] }

// ProjectDir is the folder of the project's .npmrc, which is the folder to
// install into: npm's local prefix.
func (c *Config) ProjectDir() string { return c.projectDir }

// WorkspaceDir is the workspace that the program was started in, where
// ProjectDir is its root; "" elsewhere.
func (c *Config) WorkspaceDir() string { return c.workspaceDir }

// secret reports whether a key's value must not be shown: credentials, and
// whatever begins with an underscore.
func secret(key string) bool {
	base := key[strings.LastIndexByte(key, ':')+1:]
	if strings.HasPrefix(base, "_") || strings.HasPrefix(key, "_") {
		return true
	}
	switch base {
	case "key", "otp", "password", "proxy", "https-proxy", "username":
		return true
	}
	return strings.HasPrefix(key, "//") && base != "certfile" && base != "keyfile" && base != "email" && base != "registry"
}

// doubt says what is odd about a key, or "".
func doubt(key string) string {
	if d, known := definitions[key]; known {
		switch {
		case key == "_auth":
			return "is not sent to anybody; write it as //host/path/:_auth"
		case d.deprecated:
			return "is deprecated"
		}
		return ""
	}
	switch key {
	case "nodedir", "npm-version", "global-prefix", "local-prefix":
		return ""
	case "_authToken", "_authtoken", "-authtoken", "_password", "username":
		return "is not sent to anybody; write it as //host/path/:" + key
	}
	colon := strings.LastIndexByte(key, ':')
	if colon < 0 {
		return "is not a setting of npm"
	}
	base := key[colon+1:]
	switch base {
	case "_authToken", "_auth", "_password", "certfile", "keyfile", "email", "username", "always-auth", "_keys":
		return ""
	}
	if _, known := definitions[base]; known {
		return ""
	}
	return "is not a setting of npm"
}
