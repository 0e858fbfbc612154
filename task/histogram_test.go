package task

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestHistogram compares quantiles with those of the sorted durations: the bound
// is not below and less than twice as much.
func TestHistogram(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var d durations
	var all []int64
	var sum int64
	for range 5000 {
		ns := r.Int64N(1 << r.IntN(36))
		d.add(ns)
		all = append(all, ns)
		sum += ns
	}
	slices.Sort(all)
	var h Histogram
	d.addTo(&h)
	if h.Count != 5000 || int64(h.Sum) != sum || h.Mean() != time.Duration(sum/5000) {
		t.Errorf("count %d, sum %d, should be %d", h.Count, h.Sum, sum)
	}
	for _, q := range []float64{-1, 0, 0.001, 0.1, 0.5, 0.9, 0.99, 1, 2} {
		rank := max(1, min(int(q*5000+0.5), 5000))
		exact, got := all[rank-1], int64(h.Quantile(q))
		if got < exact || got > 2*exact {
			t.Errorf("quantile %v is %d, the bound %d", q, exact, got)
		}
	}
	twice := h
	twice.Add(h)
	if twice.Count != 10000 || twice.Sum != 2*h.Sum || twice.Quantile(0.5) != h.Quantile(0.5) {
		t.Error("a histogram added to itself")
	}
}

func TestHistogramEnds(t *testing.T) {
	var h Histogram
	if h.Quantile(0.5) != 0 || h.Mean() != 0 {
		t.Error("an empty histogram")
	}
	var d durations
	d.add(-5) // the clock of a simulator may stand still, none goes back
	d.add(0)
	d.addTo(&h)
	if h.Buckets[0] != 2 || h.Quantile(1) != 0 {
		t.Errorf("zeros: %v", h)
	}
	d.add(1 << 62)
	d.addTo(&h)
	if h.Quantile(1) != 1<<(histogramSize-2) {
		t.Errorf("the last bucket begins at %v", h.Quantile(1))
	}
	for i := 1; i < histogramSize-1; i++ {
		var d durations
		d.add(1 << (i - 1))
		d.add(1<<i - 1)
		var h Histogram
		d.addTo(&h)
		if h.Buckets[i] != 2 {
			t.Errorf("bucket %d does not hold its ends", i)
		}
	}
}
