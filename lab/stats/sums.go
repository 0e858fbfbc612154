package stats

import (
	"math/rand/v2"
	"slices"
)

// sums stands for all u[i]+v[j] of two ascending slices, or, where half is
// set, for those with i <= j of one slice u = v. The k-th smallest is found
// without making them all: rows of the imagined matrix are sorted, so a
// staircase walk counts how many sums are below a pivot in the time of one
// row, and each pivot throws away a good part of what is left. (J. F. Monahan,
// Algorithm 616, ACM Transactions on Mathematical Software 10, 1984, goes
// about it likewise.) A thousand values have half a million averages of two.
type sums struct {
	u, v []float64
	half bool
}

// total gives the number of sums.
func (s sums) total() int {
	if s.half {
		return len(s.u) * (len(s.u) + 1) / 2
	}
	return len(s.u) * len(s.v)
}

// fewSums is how many are sorted instead of divided further.
const fewSums = 64

// kth gives the sum with k others before it, 0 <= k < total.
func (s sums) kth(k int) float64 {
	low, high := make([]int, len(s.u)), make([]int, len(s.u))
	for i := range s.u {
		if s.half {
			low[i] = i
		}
		high[i] = len(s.v)
	}
	below, upto := make([]int, len(s.u)), make([]int, len(s.u))
	left := s.total()
	random := rand.New(rand.NewPCG(uint64(len(s.u)), uint64(k))) // any choice gives the same answer
	for left > fewSums {
		pivot := s.pick(low, high, random.IntN(left))
		s.count(pivot, below, upto)
		nBelow, nUpto := 0, 0
		for i := range s.u {
			below[i] = min(max(below[i], low[i]), high[i])
			upto[i] = min(max(upto[i], low[i]), high[i])
			nBelow += below[i] - low[i]
			nUpto += upto[i] - low[i]
		}
		switch {
		case k < nBelow:
			high, below = below, high
			left = nBelow
		case k < nUpto:
			return pivot
		default:
			low, upto = upto, low
			k -= nUpto
			left -= nUpto
		}
	}
	rest := make([]float64, 0, left)
	for i, u := range s.u {
		for j := low[i]; j < high[i]; j++ {
			rest = append(rest, u+s.v[j])
		}
	}
	slices.Sort(rest)
	return rest[k]
}

// pick gives the n-th of the sums that are left, row by row.
func (s sums) pick(low, high []int, n int) float64 {
	for i, u := range s.u {
		if width := high[i] - low[i]; n >= width {
			n -= width
			continue
		}
		return u + s.v[low[i]+n]
	}
	panic("stats: picked beyond the sums that are left")
}

// count finds, for every row, how many of all its sums are less than pivot, and
// how many are at most pivot. Both shrink from row to row as u grows.
func (s sums) count(pivot float64, below, upto []int) {
	b, e := len(s.v), len(s.v)
	for i, u := range s.u {
		for b > 0 && u+s.v[b-1] >= pivot {
			b--
		}
		for e > 0 && u+s.v[e-1] > pivot {
			e--
		}
		below[i], upto[i] = b, e
	}
}

// median gives the middle sum, or the mean of the two in the middle.
func (s sums) median() float64 {
	n := s.total()
	m := s.kth(n / 2)
	if n%2 == 0 {
		m = (m + s.kth(n/2-1)) / 2
	}
	return m
}
