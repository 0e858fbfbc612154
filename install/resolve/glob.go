package resolve

import (
	"path"
	"strings"
)

// Glob patterns as the workspaces field has them: "*" and "?" within a segment,
// "**" for any number of segments, [classes] and {alternatives}.

// bracesMax bounds how many patterns the braces of one may stand for.
const bracesMax = 1024

// expandBraces returns the patterns that a pattern with {a,b} stands for.
func expandBraces(p string) []string {
	out := []string{p}
	for i := 0; i < len(out) && len(out) < bracesMax; {
		before, alts, after, ok := firstBraces(out[i])
		if !ok {
			i++
			continue
		}
		expanded := make([]string, 0, len(out)+len(alts))
		expanded = append(expanded, out[:i]...)
		for _, a := range alts {
			expanded = append(expanded, before+a+after)
		}
		out = append(expanded, out[i+1:]...)
	}
	return out
}

// firstBraces splits a pattern at its first {…} with a comma in it.
func firstBraces(p string) (before string, alts []string, after string, ok bool) {
	for start := strings.IndexByte(p, '{'); start >= 0 && start < len(p); {
		depth, last := 0, start+1
		alts = nil
		for i := start; i < len(p); i++ {
			switch p[i] {
			case '{':
				depth++
			case ',':
				if depth == 1 {
					alts = append(alts, p[last:i])
					last = i + 1
				}
			case '}':
				if depth--; depth == 0 {
					if alts == nil {
						i = len(p)
						break
					}
					return p[:start], append(alts, p[last:i]), p[i+1:], true
				}
			}
		}
		next := strings.IndexByte(p[start+1:], '{')
		if next < 0 {
			break
		}
		start += 1 + next
	}
	return "", nil, "", false
}

// globMatch reports whether a slash path matches a pattern.
func globMatch(pattern, name string) bool {
	for _, p := range expandBraces(pattern) {
		if matchSegments(splitPath(p), splitPath(name)) {
			return true
		}
	}
	return false
}

func anyGlob(patterns []string, name string) bool {
	for _, p := range patterns {
		if globMatch(p, name) {
			return true
		}
	}
	return false
}

func matchSegments(pattern, name []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for i := 0; i <= len(name); i++ {
				if matchSegments(pattern[1:], name[i:]) {
					return true
				}
				if i < len(name) && strings.HasPrefix(name[i], ".") {
					return false
				}
			}
			return false
		}
		if len(name) == 0 || !matchSegment(pattern[0], name[0]) {
			return false
		}
		pattern, name = pattern[1:], name[1:]
	}
	return len(name) == 0
}

// matchSegment matches one segment; a leading dot has to be written out.
func matchSegment(pattern, name string) bool {
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(pattern, ".") {
		return false
	}
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}
