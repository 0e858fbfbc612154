package report

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"weft/install/target"
)

// systemProblem has words for failures of the operating system.
func systemProblem(err, _ error) *Problem {
	path, cause, ok := osError(err)
	if !ok {
		return nil
	}
	p := &Problem{Err: err, Why: cause.Error(), Exit: ExitFailure}
	switch {
	case errors.Is(cause, syscall.ENOSPC), errors.Is(cause, syscall.EDQUOT):
		p.Code, p.What = CodeNoSpace, "no space is left to write "+path
		p.Hint = "free some space, then run the same command again: finished packages are kept"
	case errors.Is(cause, fs.ErrPermission), errors.Is(cause, syscall.EROFS):
		p.Code, p.What = CodePermission, "may not touch "+path
		p.Hint = "make the folder yours; an earlier install as another user may have left it"
	case errors.Is(cause, syscall.EMFILE), errors.Is(cause, syscall.ENFILE):
		p.Code, p.What = CodeFiles, "too many files are open to open "+path
		p.Hint = "raise the limit with `ulimit -n 4096`"
	default:
		p.Code, p.What = CodeFiles, "a file operation failed on "+path
	}
	return p
}

// osError takes an os error apart.
func osError(err error) (path string, cause error, ok bool) {
	switch e := err.(type) {
	case *fs.PathError:
		return e.Path, e.Err, true
	case *os.LinkError:
		return e.New, e.Err, true
	default:
		return "", nil, false
	}
}

// platformProblem has words for install/target's verdicts.
func platformProblem(err, _ error) *Problem {
	switch e := err.(type) {
	case *target.PlatformError:
		return &Problem{
			Code: CodePlatform, Err: err, What: "a package is not made for this platform", Why: e.Wants(),
			Hint: "make it an optional dependency, or choose the platform with --os, --cpu and --libc",
		}
	case *target.EngineError:
		return &Problem{
			Code: CodeEngine, Err: err, What: "a package is not made for this Node", Why: e.Wants(),
			Hint: "--node-version names another Node; engine-strict=false makes it a warning",
		}
	case *target.VersionError:
		p := &Problem{
			Code: CodeUsage, Exit: ExitUsage, Err: err, What: "no Node version is known by that name", Why: e.Error(),
			Hint: "give a version such as " + target.DefaultNodeVersion + ", a release line such as 24, or lts",
		}
		return p
	default:
		return nil
	}
}
