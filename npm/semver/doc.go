// Package semver understands versions and ranges by npm's exact rules.
//
// The rules are those of node-semver 7.8, the code behind every version decision that npm takes. They agree
// with semver.org on what a version is, and add a language of ranges: comparators (">=1.2.3 <2"), carets,
// tildes, x-ranges, hyphen ranges, alternatives ("||"), a rule that hides prereleases, and a loose mode for
// the odd spellings that old packages carry.
//
// Two levels of names:
//
//   - string in, answer out: [Valid], [ValidRange], [Compare], [Satisfies], [MaxSatisfying], [Intersects],
//     [Subset], [Inc], [Coerce]. A malformed version or range is an ordinary answer there (false), as it is in npm.
//   - parsed forms: [ParseVersion] gives a [Version], [ParseRange] a [Range]. Parse once, ask often:
//     [Range.Satisfies] costs some nanoseconds and allocates nothing.
//
// # How a range is read
//
// node-semver rewrites the text of a range with a chain of regular expressions until only plain comparators
// are left, and some odd inputs mean what they mean only because of the order of those rewrites ("1.2.3*" is
// "1.2.3"). This package reads a token once, by hand-written scanners, straight into comparators; the steps
// that change text are taken only where their trigger occurs, in npm's order:
//
//  1. runs of white space become one space; alternatives are split at "||"      (space.go)
//  2. build metadata is removed                                                (rewrite.go)
//  3. a hyphen range becomes two comparators                                   (rewrite.go)
//  4. blanks between an operator and its version are removed                   (rewrite.go)
//  5. each token is desugared: caret, tilde, x-range, star                     (desugar.go, partial.go)
//  6. comparators are deduplicated, "anything" and "nothing" simplified        (build.go)
//
// # Limits
//
// A version is at most 256 UTF-16 code units, as in npm. A range is at most [MaxRangeLength] bytes; npm has no
// such limit, and nothing real comes near it.
//
// Every value is immutable once made and safe for concurrent use. Nothing here blocks.
package semver
