package semver

// maxCoercedDigits is how many digits a number may have that Coerce takes.
const maxCoercedDigits = 16

// Coerce finds the first thing in s that could be a version, "v2" or "release 1.4 of today", and completes it
// with zeros. With IncludePrerelease a prerelease and build metadata after it are kept. ok is false where there is none.
func Coerce(s string, o Options) (v Version, ok bool) {
	for i := 0; i < len(s); {
		if !isDigit(s[i]) {
			i++
			continue
		}
		end := i
		for end < len(s) && isDigit(s[end]) {
			end++
		}
		if end-i <= maxCoercedDigits {
			ok = v.parse(completed(s, i, end, o), o.Loose)
			return v, ok
		}
		i = end
	}
	return Version{}, false
}

// completed returns the version text that begins with the number s[start:end].
func completed(s string, start, end int, o Options) string {
	minor, patch := "0", "0"
	major := s[start:end]
	if next, ok := coercedPart(s, end); ok {
		minor, end = s[end+1:next], next
		if next, ok = coercedPart(s, end); ok {
			patch, end = s[end+1:next], next
		}
	}
	text := major + "." + minor + "." + patch
	if !o.IncludePrerelease {
		return text
	}
	if end < len(s) && s[end] == '-' {
		if preEnd := coercedIdents(s, end+1); preEnd > end+1 {
			text, end = text+s[end:preEnd], preEnd
		}
	}
	if buildEnd := scanBuild(s, end, maxLetters); buildEnd == len(s) || !isDigit(s[buildEnd]) {
		text += s[end:buildEnd]
	}
	return text
}

// coercedPart returns the end of the dot and number at i, where the number is not too long.
func coercedPart(s string, i int) (end int, ok bool) {
	if i >= len(s) || s[i] != '.' {
		return 0, false
	}
	end = i + 1
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	n := end - i - 1
	return end, n > 0 && n <= maxCoercedDigits
}

// coercedIdents returns the end of the prerelease identifiers at i that no digit follows: a number with a
// leading zero, and whatever comes after it, is left out.
func coercedIdents(s string, i int) int {
	end := i
	for sep := i - 1; ; {
		next, _ := scanIdent(s, sep+1, false)
		if next == sep+1 || (next < len(s) && isDigit(s[next])) {
			return end
		}
		if end, sep = next, next; sep >= len(s) || s[sep] != '.' {
			return end
		}
	}
}
