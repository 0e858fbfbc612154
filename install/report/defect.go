package report

import (
	"fmt"
	"strings"

	"weft/task"
)

// stackLines is how much of a trace is printed; the runtime's own frames come
// first, then those of the culprit.
const stackLines = 24

// defectProblem has words for panics: mistakes of weft itself, which the
// runtime turns into the error of the task that had them.
func defectProblem(err, _ error) *Problem {
	e, ok := err.(*task.PanicError)
	if !ok {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(string(e.Stack)), "\n")
	if len(lines) > stackLines {
		lines = append(lines[:stackLines], "...")
	}
	return &Problem{
		Code: CodePanic, Exit: ExitFailure, Err: err, What: fmt.Sprintf("weft made a mistake: panic: %v", e.Value),
		Why:  strings.Join(lines, "\n"),
		Hint: "please report it, with these lines; the same command again may well succeed",
	}
}
