package integrity

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
)

// SHA512 is the name of the algorithm that npm writes today, and of the one
// that [Check] always computes.
const SHA512 = "sha512"

// algorithms in rising strength; the order decides which hash of several is
// verified.
var algorithms = []string{"md5", "sha1", "sha224", "sha256", "sha384", SHA512}

// strength is the rank of an algorithm, or -1 where it is unknown.
func strength(algorithm string) int {
	for i, name := range algorithms {
		if name == algorithm {
			return i
		}
	}
	return -1
}

// newHash starts a hash. The algorithm must be known.
func newHash(algorithm string) hash.Hash {
	switch algorithm {
	case "md5":
		return md5.New()
	case "sha1":
		return sha1.New()
	case "sha224":
		return sha256.New224()
	case "sha256":
		return sha256.New()
	case "sha384":
		return sha512.New384()
	}
	return sha512.New()
}

// strict lists the algorithms that the W3C specification allows.
func strict(algorithm string) bool {
	return algorithm == "sha256" || algorithm == "sha384" || algorithm == SHA512
}
