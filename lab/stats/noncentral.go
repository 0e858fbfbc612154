package stats

import (
	"math"
	"sync"
)

// NoncentralCDF gives the probability that a noncentral t variable is at most
// t: that (Z+delta)/S <= t, where Z is standard normal and S the square root of
// an independent chi-squared over its df >= 1 degrees of freedom. It integrates
// the normal's distribution over that of S, good to about ten digits.
func NoncentralCDF(t, df, delta float64) float64 {
	return overSpread(df, math.Inf(1), t, func(s float64) float64 { return NormalCDF(t*s - delta) })
}

// NoncentralTail is 1-NoncentralCDF without its rounding.
func NoncentralTail(t, df, delta float64) float64 {
	return overSpread(df, math.Inf(1), t, func(s float64) float64 { return NormalCDF(delta - t*s) })
}

// gaussNodes is how many points a panel of the quadrature has.
const gaussNodes = 16

// overSpread gives the integral of f(s) times the density of S from 0 to top.
// steep is how fast the argument of a normal distribution in f changes with s;
// the steeper, the more panels.
func overSpread(df, top, steep float64, f func(float64) float64) float64 {
	width := 10 / math.Sqrt(2*df)
	from, to := max(0, 1-width), min(1+width, top)
	if from >= to {
		return 0
	}
	panels := 6 + min(120, int(math.Abs(steep)*(to-from)/6))
	half := (to - from) / float64(2*panels)
	lgamma, _ := math.Lgamma(df / 2)
	constant := math.Ln2 + df/2*math.Log(df/2) - lgamma
	rule := gauss()
	sum := 0.0
	for k := range panels {
		middle := from + half*float64(2*k+1)
		for i := range rule.x {
			s := middle + half*rule.x[i]
			density := math.Exp(constant + (df-1)*math.Log(s) - df*s*s/2)
			sum += rule.w[i] * density * f(s)
		}
	}
	return sum * half
}

// rule holds the points and weights of Gauss and Legendre on (-1, 1).
type rule struct{ x, w [gaussNodes]float64 }

// gauss finds the roots of the Legendre polynomial by Newton's method, once.
var gauss = sync.OnceValue(func() *rule {
	var r rule
	for i := range gaussNodes {
		x := math.Cos(math.Pi * (float64(i) + 0.75) / (gaussNodes + 0.5))
		var slope float64
		for range 50 {
			before, value := 1.0, x
			for k := 2; k <= gaussNodes; k++ {
				before, value = value, (float64(2*k-1)*x*value-float64(k-1)*before)/float64(k)
			}
			slope = gaussNodes * (x*value - before) / (x*x - 1)
			step := value / slope
			x -= step
			if math.Abs(step) < 1e-15 {
				break
			}
		}
		r.x[i], r.w[i] = x, 2/((1-x*x)*slope*slope)
	}
	return &r
})
