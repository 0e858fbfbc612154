// Package stats is the arithmetic of the lab: estimates, intervals, tests and
// plans for small samples, as pure functions of float64 slices.
//
// Nothing here reads files, keeps state between calls, blocks, or changes the
// slices it is given. Everything may be called from many goroutines, except a
// [Sequential], which belongs to one.
//
// # From two arms to a ratio
//
// Two programs A and B are run in pairs. What is studied is the logarithm of
// each pair's ratio, because times differ by factors and not by seconds:
//
//	d, err := stats.LogRatios(b, a)      // log(b[i]/a[i])
//	e, err := stats.Paired(d)            // mean, standard error, degrees of freedom
//	e.Interval(0.95).Exp()               // t interval of the geometric mean ratio
//	e.P(0)                               // two-sided p value of "no difference"
//	m := math.Log(1.02)
//	e.Equivalence(-m, m)                 // p value of "the difference is 2 % or more"
//
// The t interval is about the mean, which a rare slow run moves. Beside it
// stands the Hodges-Lehmann interval, which asks the same question of ranks
// and which a rare slow run hardly moves:
//
//	h, err := stats.HodgesLehmann(d)
//	h.Estimate()                         // median of all averages of two
//	h.Interval(0.95)                     // absent if there are fewer than 6 pairs
//
// # What is where
//
//	estimate.go     t estimates: one sample, Welch's two, means of means; TOST
//	hodges.go       Hodges-Lehmann estimates and intervals, paired and not
//	sums.go         the k-th smallest of all sums of two, without making them
//	signedrank.go   Wilcoxon's signed-rank test
//	ranksum.go      the Mann-Whitney test
//	holm.go         Holm's correction, adjusted p values and matching levels
//	noncentral.go   the noncentral t distribution, by quadrature
//	power.go        how many pairs would settle it
//	sequential.go   intervals that stay valid when one looks after every pair
//	trend.go        drift: does a series rise or fall
//	position.go     does the place within a block matter
//	summary.go      medians, quantiles and the like
//	student.go      the t, normal and F distributions
//
// # Checked against R
//
// testdata/reference.R computes every figure that R knows how to compute, and
// testdata/reference.txt holds its answers with R's version; the tests need no
// R. What R has no function for is compared with a slow reference in the tests
// (all 2^n signs, all sums of two sorted) or by simulation.
package stats
