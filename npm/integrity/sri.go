package integrity

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Hash is one hash of integrity metadata.
type Hash struct {
	// Algorithm is the lowercase name: "sha512", "sha1".
	Algorithm string
	// Digest is the base64 text as it was written, which may be no valid
	// base64 and then agrees with nothing.
	Digest string
	// Options are the texts behind question marks. They mean nothing to npm
	// and are kept.
	Options []string
}

// String gives "algorithm-digest?option".
func (h Hash) String() string {
	var b strings.Builder
	h.append(&b)
	return b.String()
}

func (h Hash) append(b *strings.Builder) {
	b.WriteString(h.Algorithm)
	b.WriteByte('-')
	b.WriteString(h.Digest)
	for _, option := range h.Options {
		b.WriteByte('?')
		b.WriteString(option)
	}
}

// Hex gives the digest in hexadecimal, or "" where it is no base64.
func (h Hash) Hex() string {
	raw, err := base64.StdEncoding.DecodeString(h.Digest)
	if err != nil {
		return ""
	}
	return hex.EncodeToString(raw)
}

// SRI is integrity metadata: hashes grouped by algorithm, the groups and the
// hashes of a group in the order in which they were written. The zero value
// is empty and verifies nothing. An SRI is never changed after it was made.
type SRI struct {
	hashes []Hash
}

// Parse reads metadata. What it cannot understand (an unknown algorithm, a
// part without a digest) is left out, as npm leaves it out, so that the result
// of nonsense is an empty SRI.
func Parse(text string) SRI {
	return parse(text, false)
}

// ParseStrict reads metadata as the W3C specification has it: only SHA-2 of
// 256, 384 and 512 bits, digests of 44 to 88 base64 characters, options of
// visible ASCII.
func ParseStrict(text string) SRI {
	return parse(text, true)
}

func parse(text string, asSpecified bool) SRI {
	fields := strings.FieldsFunc(text, isSpace)
	if len(fields) == 1 { // nearly always
		if h, ok := parseHash(fields[0], asSpecified); ok {
			return SRI{hashes: []Hash{h}}
		}
		return SRI{}
	}
	var hashes []Hash
	for _, field := range fields {
		if h, ok := parseHash(field, asSpecified); ok {
			hashes = append(hashes, h)
		}
	}
	return SRI{hashes: grouped(hashes)}
}

// grouped brings the hashes of one algorithm together where the first of them
// stood.
func grouped(hashes []Hash) []Hash {
	if len(hashes) < 3 {
		return hashes
	}
	out := make([]Hash, 0, len(hashes))
	seen := make(map[string]bool, len(algorithms))
	for _, h := range hashes {
		if seen[h.Algorithm] {
			continue
		}
		seen[h.Algorithm] = true
		for _, other := range hashes {
			if other.Algorithm == h.Algorithm {
				out = append(out, other)
			}
		}
	}
	return out
}

// isSpace is JavaScript's white space, by which npm splits.
func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}

func parseHash(field string, asSpecified bool) (Hash, bool) {
	algorithm, rest, found := strings.Cut(field, "-")
	if !found || strength(algorithm) < 0 {
		return Hash{}, false
	}
	digest, tail, hasOptions := strings.Cut(rest, "?")
	if digest == "" {
		return Hash{}, false
	}
	h := Hash{Algorithm: algorithm, Digest: digest}
	if hasOptions {
		h.Options = strings.Split(tail, "?")
	}
	if asSpecified && !(strict(algorithm) && strictDigest(digest) && visible(tail)) {
		return Hash{}, false
	}
	return h, true
}

func strictDigest(digest string) bool {
	if len(digest) < 44 || len(digest) > 88 {
		return false
	}
	for i := range len(digest) {
		c := digest[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '+', c == '/', c == '=':
		default:
			return false
		}
	}
	return true
}

func visible(text string) bool {
	for i := range len(text) {
		if text[i] < 0x21 || text[i] > 0x7e {
			return false
		}
	}
	return true
}

// FromHex makes metadata of a hexadecimal digest. It fails where the text is
// not hexadecimal or the algorithm is unknown.
func FromHex(digest, algorithm string, options ...string) (SRI, error) {
	if strength(algorithm) < 0 {
		return SRI{}, fmt.Errorf("read hex digest: unknown algorithm %q", algorithm)
	}
	raw, err := hex.DecodeString(digest)
	if err != nil {
		return SRI{}, fmt.Errorf("read hex digest: %w", err)
	}
	if len(raw) == 0 {
		return SRI{}, errors.New("read hex digest: empty")
	}
	h := Hash{Algorithm: algorithm, Digest: base64.StdEncoding.EncodeToString(raw), Options: options}
	return SRI{hashes: []Hash{h}}, nil
}

// FromDist makes metadata of the two fields of a packument's dist object. The
// first result is what to verify: integrity, or, where that names no
// algorithm known here, the shasum as SHA-1. The second is what npm would
// record in a lockfile: the same, except that an integrity that it cannot read
// leaves nothing to record. A shasum that is not hexadecimal becomes a hash
// which nothing can satisfy, so that a damaged promise is not taken for none.
func FromDist(integrity, shasum string) (verify SRI, record string) {
	sri := Parse(integrity)
	if !sri.Empty() {
		return sri, sri.String()
	}
	if shasum == "" {
		return SRI{}, ""
	}
	sri, err := FromHex(shasum, "sha1")
	if err != nil {
		sri = SRI{hashes: []Hash{{Algorithm: "sha1", Digest: base64.StdEncoding.EncodeToString([]byte(shasum))}}}
	}
	if integrity != "" {
		return sri, ""
	}
	return sri, sri.String()
}

// Empty reports whether there is no hash at all.
func (s SRI) Empty() bool { return len(s.hashes) == 0 }

// Hashes gives the hashes in order. The caller must not change them.
func (s SRI) Hashes() []Hash { return s.hashes }

// String gives the canonical text, hashes apart by one space.
func (s SRI) String() string {
	if len(s.hashes) == 1 {
		return s.hashes[0].String()
	}
	var b strings.Builder
	for i, h := range s.hashes {
		if i > 0 {
			b.WriteByte(' ')
		}
		h.append(&b)
	}
	return b.String()
}

// Strongest gives the algorithm that counts and its hashes; "" and nil where
// the SRI is empty.
func (s SRI) Strongest() (algorithm string, hashes []Hash) {
	best := -1
	for _, h := range s.hashes {
		best = max(best, strength(h.Algorithm))
	}
	if best < 0 {
		return "", nil
	}
	return algorithms[best], s.of(algorithms[best])
}

// of gives the hashes of one algorithm. They stand together.
func (s SRI) of(algorithm string) []Hash {
	for i, h := range s.hashes {
		if h.Algorithm != algorithm {
			continue
		}
		end := i + 1
		for end < len(s.hashes) && s.hashes[end].Algorithm == algorithm {
			end++
		}
		return s.hashes[i:end:end]
	}
	return nil
}

// Match reports whether the strongest algorithm that both name has a digest in
// common. Where they share no algorithm they do not match.
func (s SRI) Match(other SRI) bool {
	for i := len(algorithms) - 1; i >= 0; i-- {
		mine, theirs := s.of(algorithms[i]), other.of(algorithms[i])
		if len(mine) == 0 || len(theirs) == 0 {
			continue
		}
		return shareDigest(mine, theirs)
	}
	return false
}

func shareDigest(a, b []Hash) bool {
	for _, x := range a {
		for _, y := range b {
			if x.Digest == y.Digest {
				return true
			}
		}
	}
	return false
}

// Merge adds the algorithms of other that s lacks. Where both name an
// algorithm without a digest in common it fails with a *[MismatchError]: a
// promise is never replaced.
func (s SRI) Merge(other SRI) (SRI, error) {
	merged := s.hashes
	for _, algorithm := range algorithms {
		mine, theirs := s.of(algorithm), other.of(algorithm)
		if len(mine) == 0 || len(theirs) == 0 {
			continue
		}
		if !shareDigest(mine, theirs) {
			return s, &MismatchError{Algorithm: algorithm, Wanted: s.String(), Found: other.String(), Size: -1}
		}
	}
	for _, h := range other.hashes {
		if len(s.of(h.Algorithm)) == 0 {
			merged = append(merged[:len(merged):len(merged)], h)
		}
	}
	return SRI{hashes: merged}, nil
}
