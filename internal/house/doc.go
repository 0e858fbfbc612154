// Package house holds the repository to its own rules. It has no code to call:
// its tests read every tracked file and fail when one breaks a rule that a
// reviewer would otherwise have to remember.
//
//	imports_test.go   rooms import downwards only; the core stands on the
//	                  standard library
//	comments_test.go  packages and exported names are documented
//	size_test.go      files and functions stay short; main.go is thin
//	words_test.go     no package without a subject, no address of a registry or
//	                  path of somebody's machine, no unfinished business
//
// Each rule is a function from source to findings, with a test of its own that
// shows it finding something.
package house
