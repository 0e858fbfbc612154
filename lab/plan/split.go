package plan

import (
	"errors"
	"strings"
)

// Mistakes of [Split].
var (
	errQuote     = errors.New("a quote is not closed")
	errBackslash = errors.New("nothing follows the last backslash")
)

// Split cuts a text into arguments at spaces, tabs and line ends, with the
// quotes of POSIX shells (XCU 2.2): '...' keeps all as it is; "..." keeps all
// but that a backslash before " \ $ or ` gives that character; a backslash
// outside quotes keeps the next character. Nothing else is special. It fails on
// a quote that is not closed and on a backslash at the end.
func Split(text string) ([]string, error) {
	var args []string
	var arg strings.Builder
	begun := false // an argument has begun; it may be empty, as in ''
	quote := rune(0)
	escaped := false
	for _, c := range text {
		switch {
		case escaped:
			if quote == '"' && !strings.ContainsRune("\"\\$`", c) {
				arg.WriteRune('\\')
			}
			arg.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			escaped, begun = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			arg.WriteRune(c)
		case c == '\'' || c == '"':
			quote, begun = c, true
		case strings.ContainsRune(" \t\r\n", c):
			if begun {
				args = append(args, arg.String())
				arg.Reset()
			}
			begun = false
		default:
			arg.WriteRune(c)
			begun = true
		}
	}
	switch {
	case escaped:
		return nil, errBackslash
	case quote != 0:
		return nil, errQuote
	case begun:
		args = append(args, arg.String())
	}
	return args, nil
}

// Quote writes arguments as one text that [Split] cuts into the same.
func Quote(args []string) string {
	var quoted []string
	for _, arg := range args {
		if arg == "" || strings.ContainsAny(arg, " \t\r\n\\'\"") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		quoted = append(quoted, arg)
	}
	return strings.Join(quoted, " ")
}
