package stats

import "math"

// DifferencePower gives the probability that the two-sided paired t test with n
// >= 2 pairs and error alpha finds a true difference of effect, where single
// differences have the standard deviation sd > 0. All but alpha are in the same
// unit, or on the log scale.
func DifferencePower(n int, effect, sd, alpha float64) float64 {
	df := float64(n - 1)
	delta := effect / sd * math.Sqrt(float64(n))
	t := StudentUpper(alpha/2, df)
	return min(1, NoncentralTail(t, df, delta)+NoncentralCDF(-t, df, delta))
}

// EquivalencePower gives the probability that two one-sided tests of error
// alpha with n >= 2 pairs show that the difference is within ±margin, where it
// is truly shift and single differences have the standard deviation sd > 0. It
// is exact: both tests share one estimate of the noise.
func EquivalencePower(n int, margin, shift, sd, alpha float64) float64 {
	df, root := float64(n-1), math.Sqrt(float64(n))
	t := StudentUpper(alpha, df)
	low, high := (-margin-shift)/sd*root, (margin-shift)/sd*root
	top := margin / sd * root / t // noisier samples never pass
	return max(0, overSpread(df, top, t, func(s float64) float64 {
		return NormalCDF(high-t*s) - NormalCDF(low+t*s)
	}))
}

// DifferencePairs gives the fewest pairs, from 2 to limit, with which
// [DifferencePower] reaches power, 0 < power < 1, and false where limit is
// not enough.
func DifferencePairs(effect, sd, alpha, power float64, limit int) (int, bool) {
	z := NormalQuantile(power) - NormalQuantile(alpha/2)
	guess := math.Pow(z*sd/effect, 2) + z*z/4
	return fewest(guess, limit, func(n int) bool { return DifferencePower(n, effect, sd, alpha) >= power })
}

// EquivalencePairs gives the fewest pairs, from 2 to limit, with which
// [EquivalencePower] reaches power where there is truly no difference, and
// false where limit is not enough.
func EquivalencePairs(margin, sd, alpha, power float64, limit int) (int, bool) {
	z := NormalQuantile((1+power)/2) - NormalQuantile(alpha)
	guess := math.Pow(z*sd/margin, 2) + z*z/4
	return fewest(guess, limit, func(n int) bool { return EquivalencePower(n, margin, 0, sd, alpha) >= power })
}

// fewest finds the smallest n from 2 to limit for which ok holds, where ok
// holds for every greater n too, looking around guess first.
func fewest(guess float64, limit int, ok func(int) bool) (int, bool) {
	if !(guess < float64(limit)) { // NaN and infinity are beyond too
		guess = float64(limit)
	}
	high := max(2, int(guess))
	low := 1 // does not hold, as far as anybody asked
	for step := 1; !ok(high); step *= 2 {
		if high >= limit {
			return 0, false
		}
		low, high = high, min(limit, high+step)
	}
	for step := 1; high-step > low; step *= 2 {
		if n := high - step; ok(n) {
			high = n
		} else {
			low = n
		}
	}
	for high-low > 1 {
		if n := (low + high) / 2; ok(n) {
			high = n
		} else {
			low = n
		}
	}
	return high, true
}
