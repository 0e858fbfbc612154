package inflate

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is the CPU time of the calling thread: what other programs do on the machine counts only as far as they
// disturb its caches.
func threadTime(b *testing.B) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Skip(err)
	}
	return time.Duration(t.Nano())
}

// BenchmarkRatio says how many times as fast as the others this decoder is. The decoders take turns at each file, and of
// each the best turn counts, so the ratios hold on a machine that is busy with other things, and want some rounds
// (-benchtime 9x).
func BenchmarkRatio(b *testing.B) {
	for _, set := range sampleSets(b) {
		b.Run(set.name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			buffer := make([]byte, 0, set.largest)
			best := make([][3]time.Duration, len(set.samples))
			for b.Loop() {
				for i, s := range set.samples {
					for k, d := range decoderList() {
						begin := threadTime(b)
						if err := d.gunzip(buffer, s.packed); err != nil {
							b.Fatal(err)
						}
						if took := threadTime(b) - begin; best[i][k] == 0 || took < best[i][k] {
							best[i][k] = took
						}
					}
				}
			}
			var sum [3]time.Duration
			for _, times := range best {
				for k, t := range times {
					sum[k] += t
				}
			}
			own := sum[len(sum)-1]
			for k, d := range decoderList() {
				b.ReportMetric(float64(set.total)/1e6/sum[k].Seconds(), d.name+"-MB/s")
				if sum[k] != own {
					b.ReportMetric(float64(sum[k])/float64(own), "x-"+d.name)
				}
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
