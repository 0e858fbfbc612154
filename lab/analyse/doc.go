// Package analyse goes from measured runs to verdicts.
//
//	result := analyse.Analyse(analyse.Input{
//		Baseline:   "old",
//		Repeat:     "old'",
//		Candidates: []string{"new"},
//		Metrics:    []analyse.Metric{{Name: "wall_ns", Primary: true, Time: true}},
//		Runs:       runs,
//	})
//	for _, c := range result.Series[0].Comparisons {
//		fmt.Println(c.Candidate, c.T.Value, c.T.Interval, c.Words())
//	}
//
// It is a pure function: it reads no files, changes nothing it is given, and
// gives equal results, in equal order, for equal input in whatever order the
// runs come. The arithmetic is in lab/stats.
//
// # What is compared
//
// Within a block every arm runs once. The observation of metric m for
// candidate B in block b is log(B/A), with A the baseline's run of that block.
// A pair with a failed run or without a value in either is left out and
// counted in Missing. A metric with a zero or negative value in any arm of a
// workload has no logarithms; there B-A is studied, see [Scale].
//
// # Two families
//
// Many questions asked at 5 % each give a false answer soon. The declared
// primary metrics of a series, over all workloads and candidates, are one
// family; all others are another. In each family of m, Holm's correction keeps
// the probability of any false difference, and of any false equivalence, at
// Alpha each. Only primary metrics should decide anything; the others are for
// finding out why.
//
// Each comparison has its own interval, of level 1-Alpha, for the reader who
// looks at it alone; and an Adjusted one, of the level at which Holm decided it
// (from 1-Alpha/m to 1-Alpha), which excludes "no difference" exactly where
// Holm rejects it. The Adjusted interval is the one that verdicts speak of.
// Simultaneous is Bonferroni's, of level 1-Alpha/m: all of a family hold at
// once. Where m is 1 the three are the same.
//
// # Verdicts
//
// The minimum effect of interest x (2 % unless said otherwise) makes a band
// from 1/(1+x) to 1+x. For metrics of which less is better:
//
//   - faster: the Adjusted interval of the ratio, by t, lies wholly below 1, and
//     the comparison is not equivalent. Whether the difference is as large as x
//     is a question of its own: Beyond says that the whole interval is.
//   - slower: the same above 1.
//   - equivalent: two one-sided tests show, Holm-corrected over the family,
//     that the ratio is within the band. It may be significant as well; a
//     difference that is real and shown to be smaller than anybody cares about
//     is called equivalent, and [Comparison.Words] adds "significant, but
//     smaller than 2 %".
//   - inconclusive: neither. The data allow for no difference and also for one
//     that matters; Advice says how many blocks would settle it. It does not
//     mean "no difference".
//   - absent: there is no pair with values at all.
//
// For metrics that are no time the words are better and worse, and where
// neither direction is good, lower and higher.
//
// TailSensitive is no verdict but a qualification of one: of the two Adjusted
// intervals, t about the mean and Hodges-Lehmann about the middle, one excludes
// "no difference" and the other does not. As a rule slow outliers are behind
// it; look at the distribution before believing either. The verdict stays with
// t, which was declared in advance.
//
// Hodges-Lehmann figures are absent below the number of pairs that the level
// 1-Alpha/m needs (6 for m = 1, 10 for m = 20): see stats.PairsNeeded.
//
// Where all observations are exactly equal there is no noise to measure
// against. Then signs are counted: n equal pairs that differ have the p value
// 2^(1-n), and n that lie within the band show equivalence with 2^-n.
//
// Under [Sequential] the t interval gives way to one that may be looked at
// after every block (stats.Sequential), and TailSensitive is not judged, since
// looking often is what the Hodges-Lehmann interval does not allow for.
//
// # Noise, drift and order
//
// The baseline's repeat in each block is compared with the baseline as if it
// were a candidate. What it shows is the noise floor: the difference that two
// identical programs may show in this experiment. If they differ beyond
// chance, the setup is at fault, and a warning says so.
//
// Drift of the baseline and of each ratio over the blocks (Mann's rank test),
// and an effect of the place within the block (F test), are warned of when
// Holm-corrected p values, over all checks of the kind in a series, are at
// most 5 %. Drift of the baseline alone is harmless, pairs being neighbours; drift
// of the ratio means that there is no one ratio to report.
//
// # Confirmation
//
// Every series is analysed apart, with families of its own, and nothing is ever
// pooled. A series named "warmup" is left out.
package analyse
