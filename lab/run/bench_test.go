//go:build linux

package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"weft/lab/plan"
	"weft/lab/record"
)

// bench measures a plan from a file into a folder, or resumes it; it is the
// process that tests kill.
func bench(args []string) int {
	text, err := os.ReadFile(args[0])
	if err != nil {
		return fail(err)
	}
	p, err := plan.Parse(filepath.Base(args[0]), text)
	if err != nil {
		return fail(err)
	}
	env, err := record.Capture(context.Background(), p)
	if err != nil {
		return fail(err)
	}
	d, err := record.Create(args[1], p, env)
	if err != nil {
		return fail(err)
	}
	r := &Runner{Force: true}
	if err := r.Experiment(context.Background(), p, d, nil); err != nil {
		return fail(err)
	}
	return 0
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}
