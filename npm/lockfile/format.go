package lockfile

import "strings"

// DetectFormat finds the layout of a JSON text, in npm's way: newlines and indentation are what
// stands between the opening brace and the first key. Given the project's package.json it returns
// the format in which npm writes the lockfile. A text on one line has neither and gives the zero
// Format, but for "{}" and "[]", which are taken for two spaces.
func DetectFormat(data []byte) Format {
	const white = " \t\r\n"
	text := strings.TrimPrefix(string(data[:min(len(data), formatReach)]), "\ufeff")
	for _, empty := range []string{"{}", "[]"} {
		if rest, ok := strings.CutPrefix(text, empty); ok && newlines(rest) == len(rest) {
			return Format{Indent: "  ", Newline: rest}
		}
	}
	text = strings.TrimLeft(text, white)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return Format{}
	}
	text = text[1:]
	n := newlines(text)
	if n == 0 {
		return Format{}
	}
	indent := text[n:]
	return Format{Indent: indent[:len(indent)-len(strings.TrimLeft(indent, white))], Newline: text[:n]}
}

// formatReach is how many bytes of a text are looked at for its layout.
const formatReach = 1 << 16

// newlines returns the length of the newlines, "\n" or "\r\n", that s begins with.
func newlines(s string) int {
	n := 0
	for {
		switch {
		case strings.HasPrefix(s[n:], "\n"):
			n++
		case strings.HasPrefix(s[n:], "\r\n"):
			n += 2
		default:
			return n
		}
	}
}
