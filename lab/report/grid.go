package report

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// gridRow is a line of a grid, one text a column.
type gridRow []string

// grid is a table of plain text. Columns named in left are flush left.
type grid struct {
	rows []gridRow
	left map[int]bool
}

// gap stands between two columns.
const gap = "  "

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// lines aligns the columns. Nothing stands at the end of a line but text.
func (g *grid) lines() []string {
	var widths []int
	for _, row := range g.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(cell))
		}
	}
	var lines []string
	for _, row := range g.rows {
		var b strings.Builder
		for i, cell := range row {
			if i > 0 {
				b.WriteString(gap)
			}
			pad := strings.Repeat(" ", widths[i]-columns(cell))
			if g.left[i] {
				b.WriteString(cell + pad)
			} else {
				b.WriteString(pad + cell)
			}
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}

// columns is how many places of a terminal a text takes: two for wide
// characters, none for marks that join the one before.
func columns(text string) int {
	n := 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case width.LookupRune(r).Kind() == width.EastAsianWide, width.LookupRune(r).Kind() == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// widestOf is the longest line's width.
func widestOf(lines []string) int {
	most := 0
	for _, l := range lines {
		most = max(most, columns(l))
	}
	return most
}

// wrap breaks a text at spaces so that no line is wider than asked, if words
// allow; lines after the first begin with indent, which is not counted.
func wrap(text string, columnsMax int, indent string) string {
	var b strings.Builder
	at := 0
	for i, word := range strings.Fields(text) {
		n := columns(word)
		switch {
		case i == 0:
		case at+1+n > columnsMax:
			b.WriteString("\n" + indent)
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// clean makes foreign text harmless on a terminal: control characters and
// those that turn the direction of writing become visible escapes.
func clean(text string) string {
	bad := func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar
	}
	if strings.IndexFunc(text, bad) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if !bad(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(escape(r))
	}
	return b.String()
}

func escape(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\t':
		return `\t`
	}
	const hex = "0123456789abcdef"
	if r < 0x100 {
		return `\x` + string(hex[r>>4]) + string(hex[r&15])
	}
	return `\u{` + strings.TrimLeft(string([]byte{hex[r>>16&15], hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15]}), "0") + "}"
}
