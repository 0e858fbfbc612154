package engine

import "context"

// Ranges of the CPU workload: chunk i of a batch counts the primes among the
// chunkLength numbers from chunkFrom + i*chunkLength.
const (
	chunkFrom   = 100_000
	chunkLength = 500
	// primesInBatch is how many primes there are from 100,000 up to 132,000, by
	// a sieve.
	primesInBatch = 2735
)

func primes(chunk int) (count int64) {
	from := uint32(chunkFrom + chunk*chunkLength)
	for n := from; n < from+chunkLength; n++ {
		prime := n&1 == 1
		for d := uint32(3); prime && d*d <= n; d += 2 {
			prime = n%d != 0
		}
		if prime {
			count++
		}
	}
	return count
}

func runCPU(ctx context.Context, e Engine, _ *Setting, ops int) (sum int64) {
	for range ops / chunks {
		sum += e.Batch(ctx, chunks, func(_ context.Context, i int) int64 { return primes(i) })
	}
	return sum
}

func sumCPU(ops, _ int) int64 { return int64(ops/chunks) * primesInBatch }
