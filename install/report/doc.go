// Package report is everything an install says to people and to programs.
//
// The pipeline tells a Reporter what it does, from as many tasks as it likes:
// Add moves a counter, Warn notes something odd, Detail is a line for
// --verbose. Nothing of it blocks on the screen. Start and Stop frame the work:
// between them a terminal shows one line of progress (from 200 ms on, at most
// ten times a second, gone at the end), anything else gets a plain line every
// ten seconds, so that the log of a silent CI job shows life.
//
// Then either Finish prints the Summary, or Fail prints what went wrong.
// Diagnose turns any error into a Problem: a stable code, the package, who
// requires it, what happened, why, and one thing to do about it. The process's
// exit status is the Problem's Exit.
//
// People's text goes to stderr. stdout carries one JSON document under --json
// and nothing otherwise. Text that comes from packages or registries is
// printed with its control characters escaped: a package name cannot move the
// cursor.
package report
