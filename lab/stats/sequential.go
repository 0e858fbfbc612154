package stats

import "math"

// DefaultSpread is the g of a [Sequential] that nobody chose: effects of about
// one standard deviation of single differences are found soonest.
const DefaultSpread = 1.0

// Sequential is a rule for looking at paired differences after every pair and
// stopping when one likes, without fooling oneself: the probability that its
// interval ever misses the true mean, at whatever pair, is at most alpha.
//
// It weighs the t statistic's likelihood under effects mean/sd drawn from a
// normal distribution with variance g against that under no effect. The noise
// need not be known. That ratio is, under no effect, a nonnegative martingale
// that starts at 1, so by Ville's inequality it ever reaches 1/alpha with a
// probability of at most alpha. See T. L. Lai, On confidence sequences, Annals
// of Statistics 4, 1976, and H. Wang and A. Ramdas, Anytime-valid t-tests and
// confidence sequences for Gaussian means with unknown variance,
// arXiv:2310.03722. The promise is for Gaussian noise, as the t interval's is;
// heavier tails make it cautious. The price is an interval about half again as
// wide as Student's.
//
// The zero value is ready. It belongs to one goroutine.
type Sequential struct {
	// Spread is g; 0 stands for [DefaultSpread]. It must not change once a
	// value was added.
	Spread float64

	n             int
	mean, squares float64
}

// Add takes the next difference, in the order in which they were measured.
func (s *Sequential) Add(d float64) {
	s.n++
	before := d - s.mean
	s.mean += before / float64(s.n)
	s.squares += before * (d - s.mean)
}

// N gives the number of differences so far.
func (s *Sequential) N() int { return s.n }

// Mean gives their mean.
func (s *Sequential) Mean() float64 { return s.mean }

func (s *Sequential) ratio() float64 {
	g := s.Spread
	if g == 0 {
		g = DefaultSpread
	}
	return 1 + float64(s.n)*g
}

// P gives a p value of "the true mean is null" that may be read at any time:
// one over the likelihood ratio, at most 1. Below two differences it is 1.
func (s *Sequential) P(null float64) float64 {
	if s.n < 2 {
		return 1
	}
	n, r := float64(s.n), s.ratio()
	q := 0.0 // t squared over its degrees of freedom
	if distance := s.mean - null; distance != 0 {
		q = n * distance * distance / s.squares
	}
	logRatio := n/2*(math.Log1p(q)-math.Log1p(q/r)) - math.Log(r)/2
	if math.IsInf(q, 1) {
		logRatio = (n - 1) / 2 * math.Log(r)
	}
	return min(1, math.Exp(-logRatio))
}

// Interval gives the means whose P is more than 1-level, or an absent interval
// where that leaves out none: the first few pairs never suffice.
func (s *Sequential) Interval(level float64) Interval {
	if s.n < 2 {
		return Interval{}
	}
	n, r := float64(s.n), s.ratio()
	k := math.Exp((math.Log(r)/2 - math.Log(1-level)) * 2 / n)
	if k >= r {
		return Interval{}
	}
	q := (k - 1) / (1 - k/r)
	half := math.Sqrt(q * s.squares / n)
	return Interval{Low: s.mean - half, High: s.mean + half, Level: level}
}

// Equivalence gives a p value, valid at any time, of "the true mean is not
// between low and high"; it is 1 as long as the mean of the sample is outside.
func (s *Sequential) Equivalence(low, high float64) float64 {
	if s.mean <= low || s.mean >= high {
		return 1
	}
	return max(s.P(low), s.P(high))
}

// Settled reports whether one may stop: the interval excludes 0, or it lies
// within ±margin. A margin of 0 asks for the former alone.
func (s *Sequential) Settled(level, margin float64) bool {
	i := s.Interval(level)
	return i.Excludes(0) || i.Within(-margin, margin)
}
