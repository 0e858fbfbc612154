package npmrc

import "strings"

// expand replaces ${NAME} by what lookup gives. A name that is not set stays
// as it is written; with a question mark, ${NAME?}, it becomes nothing. Of the
// backslashes before it half are kept, and an odd one keeps the text from being
// replaced. Names of variables that were not set are given to missing, which
// may be nil.
func expand(text string, lookup func(string) (string, bool), missing func(string)) string {
	if !strings.Contains(text, "${") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		dollar := i
		for dollar < len(text) && text[dollar] == '\\' {
			dollar++
		}
		name, optional, size := reference(text[dollar:])
		if size == 0 {
			next := max(dollar, i+1)
			b.WriteString(text[i:next])
			i = next
			continue
		}
		slashes := dollar - i
		whole := text[dollar : dollar+size]
		i = dollar + size
		b.WriteString(strings.Repeat(`\`, slashes/2))
		if slashes%2 == 1 {
			b.WriteString(whole)
			continue
		}
		value, found := lookup(name)
		switch {
		case found:
			b.WriteString(value)
		case !optional:
			b.WriteString(whole)
			if missing != nil {
				missing(name)
			}
		}
	}
	return b.String()
}

// reference reads "${NAME}" or "${NAME?}" at the start of text. A size of 0
// says that there is none.
func reference(text string) (name string, optional bool, size int) {
	if !strings.HasPrefix(text, "${") {
		return "", false, 0
	}
	length := strings.IndexAny(text[2:], "${}?")
	if length <= 0 {
		return "", false, 0
	}
	name, size = text[2:2+length], 2+length
	if text[size] == '?' {
		optional = true
		size++
	}
	if !strings.HasPrefix(text[size:], "}") {
		return "", false, 0
	}
	return name, optional, size + 1
}
