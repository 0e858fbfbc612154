package lockfile

import (
	"strings"

	"weft/internal/jsonval"
)

// The marks that git leaves in a file it could not merge, at least seven of a character each.
const (
	markOurs   = "<<<<<<<"
	markParent = "|||||||"
	markTheirs = "======="
	markEnd    = ">>>>>>>"
)

// hasConflict reports whether the text has the three marks that every conflict has.
func hasConflict(text string) bool {
	return strings.Contains(text, markOurs) && strings.Contains(text, markTheirs) && strings.Contains(text, markEnd)
}

// resolveConflict takes both sides and their common parent out of the text and makes the changes
// from the parent to our side on their side, as npm does. Each of the three must be JSON.
func resolveConflict(text string) (jsonval.Value, error) {
	const (
		inAll = iota
		inOurs
		inParent
		inTheirs
	)
	var ours, parent, theirs strings.Builder
	state := inAll
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		switch {
		case strings.Contains(line, markParent):
			state = inParent
		case strings.Contains(line, markOurs):
			state = inOurs
		case strings.Contains(line, markTheirs):
			state = inTheirs
		case strings.Contains(line, markEnd):
			state = inAll
		default:
			if state == inAll || state == inOurs {
				ours.WriteString(line)
			}
			if state == inAll || state == inTheirs {
				theirs.WriteString(line)
			}
			if state == inAll || state == inParent {
				parent.WriteString(line)
			}
		}
	}
	var sides [3]*tree
	for i, side := range []*strings.Builder{&parent, &ours, &theirs} {
		v, err := jsonval.ParseString(side.String())
		if err != nil {
			return jsonval.Value{}, err
		}
		if !isContainer(v) {
			return jsonval.Value{}, ErrShape
		}
		sides[i] = growTree(v)
	}
	return mergeTrees(sides[0], sides[1], sides[2]).value(), nil
}
