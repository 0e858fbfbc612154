package report

import (
	"fmt"
	"slices"
	"strings"
)

// Exit codes of the weft program.
const (
	ExitOK          = 0
	ExitFailure     = 1   // the work could not be done
	ExitUsage       = 2   // the command line or a setting is wrong
	ExitNegative    = 3   // the work was done and the verdict is no: a stale lockfile
	ExitNetwork     = 4   // the registry could not be reached or kept failing
	ExitIntegrity   = 5   // bytes were not what they had to be
	ExitInterrupted = 130 // Ctrl-C
)

// Problem is an error as people are told of it. It is an error itself, so that
// code which knows best may return one; Diagnose makes one of any other.
type Problem struct {
	// Code is stable across releases: ERR_ and words.
	Code string
	// Package is name@version or name@range, "" where it is about none.
	Package string
	// RequiredBy is the chain of dependents, nearest first; the project comes
	// last.
	RequiredBy []string
	// What happened, Why, and one thing to do: sentences without a full stop.
	// Why and Hint may be ""; Why may have several lines.
	What, Why, Hint string
	// Exit is the process's exit status, one of the Exit constants.
	Exit int
	// Err is the cause, for errors.Is and errors.As.
	Err error
}

func (p *Problem) Error() string {
	text := p.What
	if p.Package != "" {
		text = p.Package + ": " + text
	}
	if p.Why != "" {
		text += ": " + p.Why
	}
	return text
}

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// PackageError says which package an error is about and who asked for it.
// Diagnose puts both into the Problem that it makes of Err.
type PackageError struct {
	// Package is name@version or name@range.
	Package string
	// RequiredBy is the chain of dependents, nearest first, the project last.
	RequiredBy []string
	Err        error
}

// ForPackage wraps err, unless it is nil.
func ForPackage(err error, pkg string, requiredBy ...string) error {
	if err == nil {
		return nil
	}
	return &PackageError{Package: pkg, RequiredBy: requiredBy, Err: err}
}

func (e *PackageError) Error() string { return e.Package + ": " + e.Err.Error() }

// Unwrap returns the error that the package met.
func (e *PackageError) Unwrap() error { return e.Err }

// chainLimit bounds how many dependents are printed; hostile trees go deep.
const chainLimit = 12

func problemText(p *Problem, o Options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s (%s)\n", paint(o, red, "error:"), clean(p.What), p.Code)
	if p.Package != "" {
		fmt.Fprintf(&b, "  package: %s\n", clean(p.Package))
	}
	if len(p.RequiredBy) > 0 {
		fmt.Fprintf(&b, "  required by: %s\n", clean(chain(p.RequiredBy)))
	}
	if p.Why != "" {
		lines := strings.Split(strings.TrimRight(p.Why, "\n"), "\n")
		for i := range lines {
			lines[i] = clean(lines[i])
		}
		fmt.Fprintf(&b, "  why: %s\n", strings.Join(lines, "\n       "))
	}
	if p.Hint != "" {
		b.WriteString("  " + hintLine(p.Hint, o))
	}
	if o.Verbose && p.Err != nil {
		fmt.Fprintf(&b, "  cause: %s\n", clean(p.Err.Error()))
	}
	return b.String()
}

// chain reads from the project to the nearest dependent.
func chain(requiredBy []string) string {
	links := slices.Clone(requiredBy)
	slices.Reverse(links)
	if len(links) > chainLimit {
		links = slices.Concat(links[:2], []string{"..."}, links[len(links)-chainLimit+3:])
	}
	return strings.Join(links, " > ")
}
