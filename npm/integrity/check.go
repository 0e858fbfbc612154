package integrity

import (
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
)

// ErrNoHash says that metadata names no hash which could be verified.
var ErrNoHash = errors.New("no usable integrity hash")

// MismatchError says that bytes are not the ones that were promised.
type MismatchError struct {
	// Algorithm is the one that was compared.
	Algorithm string
	// Wanted is the whole metadata, Found the hash of what came.
	Wanted, Found string
	// Size is the number of bytes that were hashed, -1 where two promises
	// were compared.
	Size int64
}

// Error names both hashes and the size, which tells a cut download from an
// altered one.
func (e *MismatchError) Error() string {
	if e.Size < 0 {
		return fmt.Sprintf("integrity: %s hashes disagree: have %s, offered %s", e.Algorithm, e.Wanted, e.Found)
	}
	return fmt.Sprintf("integrity: %s mismatch: wanted %s, found %s (%d bytes)", e.Algorithm, e.Wanted, e.Found, e.Size)
}

// Sum gives the metadata of data that npm would write: "sha512-" and base64.
func Sum(data []byte) string {
	sum := sha512.Sum512(data)
	return encode(SHA512, sum[:])
}

// encode joins an algorithm and a digest in one allocation.
func encode(algorithm string, sum []byte) string {
	var room [96 + 8]byte
	b := append(room[:0], algorithm...)
	b = append(b, '-')
	return string(base64.StdEncoding.AppendEncode(b, sum))
}

// Verify compares data with metadata. It returns nil, [ErrNoHash] (wrapped)
// where the metadata holds nothing usable, or a *[MismatchError].
func Verify(data []byte, sri string) error {
	want := Parse(sri)
	if want.Empty() {
		return fmt.Errorf("verify %d bytes against %q: %w", len(data), sri, ErrNoHash)
	}
	algorithm, hashes := want.Strongest()
	h := newHash(algorithm)
	h.Write(data)
	return compare(want, algorithm, hashes, h.Sum(nil), int64(len(data)))
}

// Check verifies data and gives its SHA-512 metadata, whatever algorithm was
// promised, in one pass. An empty want promises nothing and accepts anything.
// The error is a *[MismatchError]; the SHA-512 is given even then.
func Check(data []byte, want SRI) (sha512SRI string, err error) {
	algorithm, hashes := want.Strongest()
	if algorithm == SHA512 || algorithm == "" {
		sum := sha512.Sum512(data)
		return encode(SHA512, sum[:]), compare(want, algorithm, hashes, sum[:], int64(len(data)))
	}
	c := NewChecker(want)
	c.Write(data)
	return c.Finish()
}

func compare(want SRI, algorithm string, hashes []Hash, sum []byte, size int64) error {
	if len(hashes) == 0 {
		return nil
	}
	found := encode(algorithm, sum)
	digest := found[len(algorithm)+1:]
	for _, h := range hashes {
		if h.Digest == digest {
			return nil
		}
	}
	return &MismatchError{Algorithm: algorithm, Wanted: want.String(), Found: found, Size: size}
}

// checkBlock is how much of the input both hashes take in turn: it stays in
// the first-level cache between them.
const checkBlock = 16 << 10

// Checker verifies a stream. It is an io.Writer that never fails; call Finish
// once after the last write.
type Checker struct {
	want      SRI
	algorithm string
	hashes    []Hash
	strong    hash.Hash
	weak      hash.Hash // nil where the promise is SHA-512 or none
	size      int64
}

// NewChecker starts a verification against want, which may be empty.
func NewChecker(want SRI) *Checker {
	c := &Checker{want: want, strong: sha512.New()}
	c.algorithm, c.hashes = want.Strongest()
	if c.algorithm != SHA512 && c.algorithm != "" {
		c.weak = newHash(c.algorithm)
	}
	return c
}

// Write adds bytes. It always takes all of them.
func (c *Checker) Write(p []byte) (int, error) {
	c.size += int64(len(p))
	if c.weak == nil {
		return c.strong.Write(p)
	}
	for rest := p; len(rest) > 0; {
		n := min(len(rest), checkBlock)
		c.strong.Write(rest[:n])
		c.weak.Write(rest[:n])
		rest = rest[n:]
	}
	return len(p), nil
}

// Finish gives the SHA-512 metadata of what was written, and a
// *[MismatchError] where it is not what was wanted.
func (c *Checker) Finish() (sha512SRI string, err error) {
	sum := c.strong.Sum(nil)
	sri := encode(SHA512, sum)
	if c.weak != nil {
		sum = c.weak.Sum(nil)
	}
	return sri, compare(c.want, c.algorithm, c.hashes, sum, c.size)
}
