package task

import (
	"math/bits"
	"time"

	"weft/internal/sy"
)

const histogramSize = 40 // buckets

// Histogram counts durations in buckets that double. The zero Histogram is empty.
// It is a copy: nobody writes to it.
type Histogram struct {
	// Count is how many durations were measured, which may be a sample; see where
	// the histogram is found.
	Count uint64
	// Sum is that of all that were measured.
	Sum time.Duration
	// Buckets[0] counts durations of 0 ns, Buckets[i] those from 2^(i-1) ns to
	// below 2^i ns, the last also all that are longer (275 s and more).
	Buckets [histogramSize]uint64
}

// Mean is the mean duration, or 0 of an empty histogram.
func (h Histogram) Mean() time.Duration {
	if h.Count == 0 {
		return 0
	}
	return h.Sum / time.Duration(h.Count)
}

// Quantile returns a bound that the fraction q of the durations do not exceed: the
// end of the bucket in which the quantile lies, at most twice its true value (of
// the last bucket its beginning). q below 0 or above 1 counts as that. 0 of an
// empty histogram.
func (h Histogram) Quantile(q float64) time.Duration {
	var n uint64
	for _, b := range h.Buckets {
		n += b
	}
	if n == 0 {
		return 0
	}
	rank := max(1, min(uint64(q*float64(n)+0.5), n))
	if !(q > 0) {
		rank = 1
	}
	for i, b := range h.Buckets {
		if rank <= b {
			return bucketEnd(i)
		}
		rank -= b
	}
	return bucketEnd(histogramSize - 1)
}

func bucketEnd(i int) time.Duration {
	switch {
	case i == 0:
		return 0
	case i == histogramSize-1:
		return 1 << (i - 1)
	}
	return 1<<i - 1
}

// Add adds what o counted.
func (h *Histogram) Add(o Histogram) {
	h.Count += o.Count
	h.Sum += o.Sum
	for i, b := range o.Buckets {
		h.Buckets[i] += b
	}
}

// durations is a histogram in the making: one writer, a lane's holder, and
// readers that take no lock. A reader may see a duration in a bucket and not yet
// in the sum.
type durations struct {
	buckets [histogramSize]sy.Count
	sum     sy.Int64
}

func (d *durations) add(ns int64) {
	ns = max(ns, 0)
	d.sum.Store(d.sum.Load() + ns)
	d.buckets[min(bits.Len64(uint64(ns)), histogramSize-1)].Inc()
}

// addTo adds what was counted to h.
func (d *durations) addTo(h *Histogram) {
	for i := range d.buckets {
		n := d.buckets[i].Load()
		h.Buckets[i] += n
		h.Count += n
	}
	h.Sum += time.Duration(d.sum.Load())
}
