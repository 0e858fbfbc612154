package report

import (
	"context"
	"errors"

	"weft/install/schedule"
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

// mapper has words for one node of a chain of causes, or returns nil. outer is
// the whole chain from the last node that named a package: its text says
// more than a sentinel's.
type mapper func(err, outer error) *Problem

// mappers, in no particular order: each knows types of its own.
var mappers = []mapper{
	systemProblem,
	platformProblem,
	contentProblem,
	remoteProblem,
	treeProblem,
	storageProblem,
	defectProblem,
}

// placer finds out which package an error is about; nil if it does not say.
type placer func(err error) *PackageError

var placers = []placer{
	func(err error) *PackageError { at, _ := err.(*PackageError); return at },
	treePlacer,
}

func walk(err error, at *PackageError) *Problem {
	outer := err
	for e := err; e != nil; e = errors.Unwrap(e) {
		if wait, ok := e.(*schedule.PrerequisiteError); ok {
			outer = wait.Err // which job waited for which says nothing to people
		}
		for _, p := range placers {
			if found := p(e); found != nil {
				at, outer = found, found.Err
			}
		}
		if many, ok := e.(interface{ Unwrap() []error }); ok {
			return best(many.Unwrap(), e, outer, at)
		}
		if p := known(e, outer); p != nil {
			return place(p, at, err)
		}
	}
	if errors.Is(err, context.Canceled) {
		return place(interrupted(err), at, err)
	}
	return place(unknown(err, outer), at, err)
}

// known is the words for one node. An error that was caused by a cancelled
// context is an interruption, whatever it was doing.
func known(err, outer error) *Problem {
	if p, ok := err.(*Problem); ok {
		return p
	}
	if errors.Is(err, context.Canceled) {
		return nil // the end of the walk says so, unless a joined error says more
	}
	for _, m := range mappers {
		if p := m(err, outer); p != nil {
			return p
		}
	}
	return nil
}

// best diagnoses each of several causes and keeps the first that is neither
// unknown nor an interruption, else the first that is no interruption.
func best(causes []error, whole, outer error, at *PackageError) *Problem {
	var chosen *Problem
	for _, cause := range causes {
		if p := walk(cause, at); chosen == nil || rank(p) > rank(chosen) {
			chosen = p
		}
	}
	if chosen == nil || chosen.Code == CodeUnknown && !isJoin(whole) {
		return place(unknown(whole, outer), at, whole)
	}
	return chosen
}

// isJoin tells errors.Join, whose text is its parts' and nothing more, from one
// message that wraps several causes.
func isJoin(err error) bool {
	return err.Error() == errors.Join(err.(interface{ Unwrap() []error }).Unwrap()...).Error()
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
func unknown(err, outer error) *Problem {
	return &Problem{Code: CodeUnknown, Exit: ExitFailure, Err: err, What: outer.Error()}
}
