package report

import (
	"fmt"
	"slices"
)

// measure is how a bar holds weft against a peer.
type measure int

const (
	ratio      measure = iota // of wall time an operation, at most limit
	difference                // in nanoseconds an operation, at most limit
	threadsMax                // threads of the subject alone, fewer than limit
)

// bar is one thing that weft is to reach.
type bar struct {
	workload, subject, peer string
	from, to                int // parallelism; to 0 means no end
	by                      measure
	limit                   float64
}

// bars to reach on two cores.
var bars = []bar{
	{"spawn", "weft", "go-waitgroup", 1, 1, ratio, 0.40},
	{"spawn", "weft", "go-waitgroup", 2, 0, ratio, 0.55},
	{"spawn", "weft", "tokio", 1, 0, ratio, 0.75},
	{"chain", "weft", "go-channel", 1, 0, ratio, 0.35},
	{"chain", "weft", "tokio", 1, 0, ratio, 0.9},
	{"yield", "weft", "go-waitgroup", 1, 0, ratio, 0.4},
	{"yield", "weft", "tokio", 1, 1, ratio, 2.0},
	{"yield", "weft", "tokio", 2, 0, ratio, 1.1},
	{"yield", "weft-poll", "tokio", 1, 0, ratio, 0.5},
	{"pingpong", "weft", "go-channel", 1, 0, ratio, 0.8},
	{"pingpong", "weft-poll", "go-channel", 1, 0, ratio, 0.4},
	{"pingpong-queue", "weft", "go-channel", 1, 0, ratio, 0.8},
	{"block-empty", "weft", "go-waitgroup", 1, 0, difference, 60},
	{"block-ms", "weft", "tokio", 1, 0, ratio, 0.9},
	{"block-ms", "weft", "go-waitgroup", 1, 0, ratio, 1.3},
	{"block-ms", "weft", "", 1, 0, threadsMax, 64},
	{"cpu", "weft", "go-waitgroup", 1, 0, ratio, 1.02},
	{"panic", "weft", "go-channel", 1, 0, ratio, 0.5},
	{"panic-trace", "weft", "go-channel", 1, 0, ratio, 0.5},
}

// text says the bar in words.
func (b bar) text() string {
	switch b.by {
	case difference:
		return fmt.Sprintf("%s, at most %g ns over %s", b.subject, b.limit, b.peer)
	case threadsMax:
		return fmt.Sprintf("%s, fewer than %g threads", b.subject, b.limit)
	default:
		return fmt.Sprintf("%s, at most %g of %s", b.subject, b.limit, b.peer)
	}
}

func (b bar) covers(parallelism int) bool {
	return parallelism >= b.from && (b.to == 0 || parallelism <= b.to)
}

// Verdicts. The median decides; close says that the interval has the limit
// within.
const (
	pass        = "pass"
	fail        = "**fail**"
	passClosely = "pass, closely"
	failClosely = "**fail**, closely"
	notMeasured = "not measured"
)

// judgement is a bar at one parallelism.
type judgement struct {
	bar         bar
	parallelism int
	got         comparison // of wall time
	cpu         comparison // of processor time, which a loaded machine changes less; it decides nothing
	verdict     string
}

func (r results) judge(b bar, parallelism int) judgement {
	j := judgement{bar: b, parallelism: parallelism, verdict: notMeasured}
	subject, peer := key{b.workload, parallelism, b.subject}, key{b.workload, parallelism, b.peer}
	measured, combine := false, divide
	switch b.by {
	case threadsMax:
		if most := r.values(subject, threads); len(most) > 0 {
			j.verdict = verdict(slices.Max(most) < b.limit, false)
			j.got.ofMedians, j.got.subject = slices.Max(most), median(most)
		}
		return j
	case difference:
		combine = subtract
	}
	if j.got, measured = r.compare(subject, peer, wall, combine); measured {
		j.cpu, _ = r.compare(subject, peer, cpu, combine)
		j.verdict = verdict(j.got.ofMedians <= b.limit, j.got.low <= b.limit && b.limit <= j.got.high)
	}
	return j
}

func verdict(holds, closely bool) string {
	switch {
	case holds && closely:
		return passClosely
	case holds:
		return pass
	case closely:
		return failClosely
	default:
		return fail
	}
}
