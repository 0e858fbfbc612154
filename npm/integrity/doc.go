// Package integrity says whether bytes are the ones that were promised.
//
// npm writes the promise as Subresource Integrity metadata (W3C SRI, as the
// library ssri reads it): one or more hashes apart by white space, each
// "algorithm-base64digest", perhaps with "?option" tails. A registry that is
// older than SRI gives a hex SHA-1, the shasum, instead.
//
//	sri, _ := integrity.FromDist(dist.Integrity, dist.Shasum)
//	sum, err := integrity.Check(body, sri)
//	// err is a *MismatchError, or nil and sum is the body's "sha512-…"
//
// The rule of verification: of the algorithms named, only the strongest
// counts (sha512, sha384, sha256, sha224, sha1, md5), and of its hashes any
// one may agree. A hash of an algorithm that is not in this list is as if it
// were not there, so metadata may turn out empty; verifying against nothing is
// an error ([ErrNoHash]) in [Verify] and accepted in [Check], because a
// registry may publish a package without any hash.
//
// What npm keeps: a lockfile records the metadata of the packument as it is,
// the SHA-1 where nothing better was published, and nothing where nothing was.
// A store wants one strong name for the same bytes, so [Check] and [Checker]
// always compute SHA-512 along with whatever has to be verified, in one pass.
//
// Everything here is pure and safe for concurrent use, except a [Checker],
// which belongs to one goroutine.
package integrity
