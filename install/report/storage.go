package report

import (
	"weft/install/link"
	"weft/install/store"
)

// storageProblem has words for the store and for node_modules.
func storageProblem(err, outer error) *Problem {
	p := &Problem{Exit: ExitFailure, Err: err, Why: outer.Error()}
	if _, ok := err.(*store.CorruptError); ok || err == store.ErrCorrupt {
		p.Code, p.Exit, p.What = CodeStore, ExitIntegrity, "a package in the store has been altered"
		p.Hint = "somebody edited it inside a node_modules, which shares files with the store; remove its folder there and install again"
		return p
	}
	switch err {
	case store.ErrKey:
		p.Code, p.Exit, p.What = CodeIntegrity, ExitIntegrity, "a package's integrity is no hash that bytes can be held against"
		p.Hint = "restore the lockfile from version control, or remove the package's entry from it"
	case link.ErrBlocked:
		p.Code, p.What = CodeFiles, "something else stands where a package has to go"
		p.Hint = "move it out of node_modules"
	case link.ErrLocation:
		p.Code, p.What = CodeLockfile, "a package would go outside of node_modules"
		p.Hint = "the lockfile has a location that no package can have; restore it from version control"
	case link.ErrBin:
		p.Code, p.What = CodeFiles, "a package's command is not safe to link"
		p.Hint = "its bin leads outside of the package; do not use it"
	default:
		return nil
	}
	return p
}
