package schedule

import (
	"context"
	"errors"
	"fmt"
)

// Lane is the index of a kind of work in Config.Lanes.
type Lane uint8

// Key names a job. Two jobs with one key are one job.
type Key struct {
	Lane Lane
	Name string
}

// Job is a piece of work to be run at most once.
type Job struct {
	Key Key
	// After names jobs that must have succeeded first. Each must have been
	// submitted before this one.
	After []Key
	// Run does the work on a task of its own. It may wait, block in a marked
	// region, and submit further jobs.
	Run func(ctx context.Context) (any, error)
	// Speculative jobs start only when no demanded job of their lane is ready.
	// Submitting the key again without this flag makes it demanded.
	Speculative bool
}

// ErrClosed is the error of jobs that had not ended when the scheduler was closed.
var ErrClosed = errors.New("schedule: closed")

// ErrUnknown is the error of asking for a key that nobody submitted.
var ErrUnknown = errors.New("schedule: unknown job")

// PrerequisiteError is the error of a job that was never run because one that
// it comes after failed.
type PrerequisiteError struct {
	Job, Needs Key
	Err        error // the prerequisite's own error
}

func (e *PrerequisiteError) Error() string {
	return fmt.Sprintf("schedule: %s needs %s: %v", e.Job.Name, e.Needs.Name, e.Err)
}

// Unwrap returns the prerequisite's error.
func (e *PrerequisiteError) Unwrap() error { return e.Err }
