// Package compare sets two sets of measurements against each other that were
// not made as one experiment: two run directories, or files of other tools.
//
// Each arm of a run directory, or each benchmark of a file, that occurs on both
// sides becomes a workload; the first side is the baseline and the second the
// candidate. Where both sides followed the same plan, the same arm ran in the
// same block and place on both, and blocks are pairs; elsewhere there is nothing
// to pair, and Welch's t and Mann-Whitney take over.
//
// Either way the two were measured at different times. Whatever changed between
// them counts as a difference, and each report says so: an experiment that runs
// both side by side is always better.
package compare
