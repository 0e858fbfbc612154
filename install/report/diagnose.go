package report

import (
	"context"
	"errors"
)

// Diagnose says what an error means to the person at the keyboard. It walks
// the chain of causes from the outside in and takes the first one that
// somebody has words for (the mappers below); PackageErrors on the way name the
// package. Of errors that were joined the first known one wins, and an
// interruption loses against everything else, because a failure cancels its
// neighbours. It never returns nil; a nil error is a programmer's mistake and
// panics.
func Diagnose(err error) *Problem {
	if err == nil {
		panic("report: Diagnose of a nil error")
	}
	p := *walk(err, nil)
	if p.Err == nil {
		p.Err = err
	}
	return &p
}

// mapper has words for one node of a chain of causes, or returns nil.
type mapper func(err error) *Problem

// mappers, in no particular order: each knows types of its own.
var mappers = []mapper{
	platformProblem,
	systemProblem,
}

func walk(err error, at *PackageError) *Problem {
	for e := err; e != nil; e = errors.Unwrap(e) {
		if wrapped, ok := e.(*PackageError); ok {
			at = wrapped
		}
		if many, ok := e.(interface{ Unwrap() []error }); ok {
			return best(many.Unwrap(), e, at)
		}
		if p := known(e); p != nil {
			return place(p, at, err)
		}
	}
	if errors.Is(err, context.Canceled) {
		return place(interrupted(err), at, err)
	}
	return place(unknown(err, at), at, err)
}

// known is the words for one node. An error that was caused by a cancelled
// context is an interruption, whatever it was doing.
func known(err error) *Problem {
	if p, ok := err.(*Problem); ok {
		return p
	}
	if errors.Is(err, context.Canceled) {
		return nil // the end of the walk says so, unless a joined error says more
	}
	for _, m := range mappers {
		if p := m(err); p != nil {
			return p
		}
	}
	return nil
}

// best diagnoses each of several causes and keeps the first that is neither
// unknown nor an interruption, else the first that is no interruption.
func best(causes []error, whole error, at *PackageError) *Problem {
	var chosen *Problem
	for _, cause := range causes {
		p := walk(cause, at)
		if chosen == nil || rank(p) > rank(chosen) {
			chosen = p
		}
	}
	if chosen == nil {
		return place(unknown(whole, at), at, whole)
	}
	return chosen
}

func rank(p *Problem) int {
	switch p.Code {
	case CodeInterrupted:
		return 0
	case CodeUnknown:
		return 1
	default:
		return 2
	}
}

// place fills in what the surroundings know and the words do not.
func place(p *Problem, at *PackageError, err error) *Problem {
	q := *p
	if q.Code == CodeInterrupted {
		at = nil // it was about no package in particular
	}
	if at != nil && q.Package == "" {
		q.Package = at.Package
	}
	if at != nil && q.RequiredBy == nil && q.Package == at.Package {
		q.RequiredBy = at.RequiredBy
	}
	if q.Err == nil {
		q.Err = err
	}
	if q.Exit == ExitOK {
		q.Exit = ExitFailure
	}
	return &q
}

func interrupted(err error) *Problem {
	return &Problem{
		Code: CodeInterrupted, Exit: ExitInterrupted, Err: err,
		What: "interrupted",
		Why:  "each package in node_modules is either the old one or the new one, whole",
		Hint: "the same command again goes on from here",
	}
}

// unknown prints the error as it is.
func unknown(err error, at *PackageError) *Problem {
	what := err.Error()
	if at != nil {
		what = at.Err.Error()
	}
	return &Problem{Code: CodeUnknown, Exit: ExitFailure, Err: err, What: what}
}
