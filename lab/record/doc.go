// Package record keeps what the lab measured: the run directory.
//
//	plan.yaml       the plan as it was used, with its seed
//	env.json        the machine, the programs and what was noticed, see [Env]
//	runs.csv        one row a run: warm-ups, main series, memory runs
//	confirm-1/      the first confirmation: its own runs.csv
//	samples/        memory curves, and output of runs that failed
//	manifest.json   SHA-256 and size of every other file
//	report.*        reports, if some were written
//
// [Create] makes one, [Dir.Append] adds a run, [Dir.Finish] writes the
// manifest. A run is on disk before Append returns, so that a crash, kill -9 or
// a full disk lose at most the run in flight; [Resume] goes on from there if
// plan, seed and programs are the same. [Read] gives the runs back, [Verify]
// compares the files with the manifest.
//
// # runs.csv
//
// The columns are those of [Columns], then custom metrics, whose names begin
// with "m:", in the order in which they first occurred. A value that could not
// be measured is an empty cell, never 0. Times are in nanoseconds, sizes in
// bytes; started_unix_ns is the wall clock, all durations are monotonic. The
// repeat of the baseline is an arm of its own, with an apostrophe.
//
// Files are foreign when they are read: sizes and counts are limited, values
// are finite numbers. A last line without its line end is a run that was torn
// by a crash; it is dropped and reported.
//
// One process writes a run directory; a lock beside it sees to that where the
// system has one. Reading is safe at any time.
package record
