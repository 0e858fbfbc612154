package analyse

import "weft/lab/stats"

// Result is what an experiment shows. All of it can be written as JSON: no
// figure is ever NaN or infinite.
type Result struct {
	Design    Design   `json:"design"`
	Alpha     float64  `json:"alpha"`
	MinEffect float64  `json:"min_effect"`
	Power     float64  `json:"power"`
	Series    []Series `json:"series"` // the main one first, confirmations after it
}

// Series is the analysis of one series, by itself.
type Series struct {
	Name        string       `json:"name"`
	Runs        int          `json:"runs"`   // of arms that are known
	Failed      int          `json:"failed"` // of those
	Comparisons []Comparison `json:"comparisons"`
	Noise       []Noise      `json:"noise"`
	Checks      []Check      `json:"checks"`
	Summaries   []Summary    `json:"summaries"`
	Warnings    []Warning    `json:"warnings"`
}

// Verdict is the outcome of a comparison: see the package comment.
type Verdict string

// Verdicts.
const (
	Faster       Verdict = "faster"
	Slower       Verdict = "slower"
	Better       Verdict = "better"
	Worse        Verdict = "worse"
	Lower        Verdict = "lower"
	Higher       Verdict = "higher"
	Equivalent   Verdict = "equivalent"
	Inconclusive Verdict = "inconclusive"
	Absent       Verdict = "absent"
)

// Regression reports that a verdict is bad news: slower or worse.
func (v Verdict) Regression() bool { return v == Slower || v == Worse }

// Improvement reports that a verdict is good news: faster or better.
func (v Verdict) Improvement() bool { return v == Faster || v == Better }

// Estimate is how a candidate compares, on the comparison's scale, with three
// intervals: see the package comment. An absent interval has the level 0.
type Estimate struct {
	Value        float64        `json:"value"`
	Interval     stats.Interval `json:"interval"`
	Adjusted     stats.Interval `json:"adjusted"`
	Simultaneous stats.Interval `json:"simultaneous"`
}

// Comparison is one candidate against the baseline in one metric of one
// workload.
type Comparison struct {
	Workload  string `json:"workload"`
	Candidate string `json:"candidate"`
	Metric    string `json:"metric"`
	Primary   bool   `json:"primary"`
	Scale     Scale  `json:"scale"`
	// Minimum is the minimum effect of interest: a share on the Ratio scale, on
	// the other in the metric's unit, and 0 where there is none.
	Minimum float64 `json:"minimum"`

	N       int `json:"n"`       // pairs; unpaired, the values of the smaller arm
	Missing int `json:"missing"` // pairs left out; unpaired, runs without a value
	Family  int `json:"family"`  // how many comparisons are corrected together

	// Of the values that were compared, in the metric's unit.
	BaselineValues  stats.Summary `json:"baseline_values"`
	CandidateValues stats.Summary `json:"candidate_values"`

	T  *Estimate `json:"t,omitempty"`              // about the mean; needs two pairs
	HL *Estimate `json:"hodges_lehmann,omitempty"` // about the middle; needs more
	// SD is the standard deviation of an observation: a log ratio on the Ratio
	// scale. Unpaired, of a pair drawn from both arms.
	SD float64 `json:"sd"`

	P                    float64 `json:"p"` // of "no difference", two-sided; 1 if untested
	AdjustedP            float64 `json:"adjusted_p"`
	EquivalenceP         float64 `json:"equivalence_p"` // of "a difference that matters"
	AdjustedEquivalenceP float64 `json:"adjusted_equivalence_p"`
	RankP                float64 `json:"rank_p"` // signed-rank or Mann-Whitney, uncorrected

	Verdict       Verdict `json:"verdict"`
	Significant   bool    `json:"significant"`    // the Adjusted interval excludes no difference
	Beyond        bool    `json:"beyond"`         // and lies wholly beyond the minimum effect, if there is one
	Constant      bool    `json:"constant"`       // all observations are equal
	TailSensitive bool    `json:"tail_sensitive"` // t and Hodges-Lehmann disagree
	Advice        *Advice `json:"advice,omitempty"`
}

// Advice says how many blocks would settle an inconclusive comparison, if the
// noise stays as it was. They must be run anew, as an experiment of their own:
// adding blocks until a verdict comes is a way to fool oneself.
type Advice struct {
	// PowerNow is the probability with which as many pairs as there were find a
	// difference of the minimum effect.
	PowerNow float64 `json:"power_now"`
	// Difference and Equivalence are the pairs that show, with the Input's
	// power, a difference of the minimum effect, and equivalence where there is
	// none. 0 stands for more than [MostBlocks].
	Difference  int `json:"difference"`
	Equivalence int `json:"equivalence"`
	// Blocks is enough for both, even, and at least twice as many as just
	// failed to settle it; 0 stands for more than [MostBlocks].
	Blocks int `json:"blocks"`
}

// Noise is the noise floor of one metric in one workload: the baseline's repeat
// against the baseline.
type Noise struct {
	Workload string         `json:"workload"`
	Metric   string         `json:"metric"`
	Scale    Scale          `json:"scale"`
	N        int            `json:"n"`
	Value    float64        `json:"value"`    // ratio or difference of the two
	Interval stats.Interval `json:"interval"` // by t, of level 1-Alpha
	SD       float64        `json:"sd"`       // of one observation
	// Floor is the half width of the interval, as a share on the Ratio scale:
	// identical programs differ by less, with the interval's confidence.
	Floor     float64 `json:"floor"`
	P         float64 `json:"p"`
	AdjustedP float64 `json:"adjusted_p"` // over all noise floors of the series
	Differs   bool    `json:"differs"`    // beyond chance: the setup is at fault
}

// CheckKind is what a [Check] looks for.
type CheckKind string

// Kinds of checks.
const (
	BaselineDrift CheckKind = "baseline-drift" // the baseline changes over the blocks
	RatioDrift    CheckKind = "ratio-drift"    // the comparison itself changes over the blocks
	OrderEffect   CheckKind = "order-effect"   // the place within the block matters
)

// Check is a test of something that should not be there.
type Check struct {
	Kind      CheckKind `json:"kind"`
	Workload  string    `json:"workload"`
	Candidate string    `json:"candidate,omitempty"` // of RatioDrift
	Metric    string    `json:"metric"`
	Scale     Scale     `json:"scale"`
	N         int       `json:"n"` // blocks, or runs for OrderEffect
	// Change is its size, as a share on the Ratio scale: of a drift from the
	// first block to the last by a straight line, of an order effect between the
	// fastest place and the slowest.
	Change    float64 `json:"change"`
	P         float64 `json:"p"`
	AdjustedP float64 `json:"adjusted_p"` // over all checks of the kind in the series
	Found     bool    `json:"found"`
}

// Summary is the geometric mean of a candidate's ratios over the workloads of a
// series, each counting the same. It speaks of these workloads and not of
// others. There is none for fewer than two workloads with ratios, nor under
// [Sequential].
type Summary struct {
	Candidate string  `json:"candidate"`
	Metric    string  `json:"metric"`
	Primary   bool    `json:"primary"`
	Workloads int     `json:"workloads"`
	Ratio     float64 `json:"ratio"`
	// Interval is by t, of level 1-Alpha, uncorrected; it is absent, and P is 1,
	// where nothing varied in any workload.
	Interval stats.Interval `json:"interval"`
	P        float64        `json:"p"`
}

// Warning is something that a reader of the series must know, in plain words.
type Warning struct {
	Kind     string `json:"kind"` // of a Check, or "noise", "failed", "missing", "duplicate", "unknown-arm"
	Workload string `json:"workload,omitempty"`
	Metric   string `json:"metric,omitempty"`
	Text     string `json:"text"`
}
