package report

import (
	"fmt"

	"weft/npm/integrity"
	"weft/npm/spec"
	"weft/npm/tarball"
)

// specErrors are the ways in which a dependency's spec can be none.
var specErrors = []error{spec.ErrName, spec.ErrTag, spec.ErrProtocol, spec.ErrURL, spec.ErrAlias, spec.ErrGit, spec.ErrTooLong}

// archiveErrors are the ways in which a tarball can be none.
var archiveErrors = []error{tarball.ErrGzip, tarball.ErrFormat, tarball.ErrTruncated, tarball.ErrTooLarge}

// contentProblem has words for what npm's formats refuse: hashes, tarballs,
// specs.
func contentProblem(err, outer error) *Problem {
	if e, ok := err.(*integrity.MismatchError); ok {
		return mismatch(e)
	}
	if err == integrity.ErrNoHash {
		return &Problem{
			Code: CodeIntegrity, Exit: ExitIntegrity, Err: err, What: "a package has no hash to hold it against", Why: outer.Error(),
			Hint: "its integrity in the lockfile is no hash; remove that line",
		}
	}
	for _, known := range archiveErrors {
		if err == known {
			return &Problem{
				Code: CodeArchive, Exit: ExitFailure, Err: err, What: "a tarball cannot be unpacked", Why: outer.Error(),
				Hint: "try again; if it stays, it was published like this: take another version of the package",
			}
		}
	}
	for _, known := range specErrors {
		if err == known {
			return &Problem{
				Code: CodeSpec, Exit: ExitFailure, Err: err, What: "a dependency asks for something that is no version, range, tag or address", Why: outer.Error(),
				Hint: "mend the line in the package.json that has it",
			}
		}
	}
	return nil
}

func mismatch(e *integrity.MismatchError) *Problem {
	p := &Problem{Code: CodeIntegrity, Exit: ExitIntegrity, Err: e}
	if e.Size < 0 {
		p.What = "the lockfile and the registry promise different bytes for the same version"
		p.Why = fmt.Sprintf("promised %s\noffered  %s", e.Wanted, e.Found)
		p.Hint = "somebody published it again or altered it; if you trust the registry, remove the entry from the lockfile"
		return p
	}
	p.What = "a download is not what was promised"
	p.Why = fmt.Sprintf("promised %s\nreceived %s (%d bytes)", e.Wanted, e.Found, e.Size)
	p.Hint = "try again; if it stays, a mirror or proxy alters packages, or the lockfile's integrity is wrong"
	return p
}
