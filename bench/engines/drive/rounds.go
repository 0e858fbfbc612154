package drive

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"weft/bench/engines/engine"
	"weft/bench/engines/sample"
)

// Plan says what to measure.
type Plan struct {
	Programs    []Program
	Workloads   []engine.Workload
	Parallelism []int
	Rounds      int
	// Sample is how long one should take. Default 50 ms.
	Sample time.Duration
	Seed   uint64
	Ground *Ground
	// Progress hears what happens, for people. Default: nobody.
	Progress io.Writer
}

// cell is one engine on one workload at one parallelism.
type cell struct {
	program Program
	job     engine.Job
}

// block holds the cells that are compared with each other: one workload at one
// parallelism. In a round they run one right after the other, so that what slows
// the machine for a while slows all of them.
type block []cell

func (p Plan) blocks() []block {
	var blocks []block
	for _, w := range p.Workloads {
		for _, parallelism := range p.Parallelism {
			var b block
			for _, program := range p.Programs {
				if program.Runs(w.Name, parallelism) {
					job := engine.Job{Workload: w.Name, Parallelism: parallelism, File: p.Ground.File, Echo: p.Ground.Echo}
					b = append(b, cell{program, job})
				}
			}
			if len(b) > 0 {
				blocks = append(blocks, b)
			}
		}
	}
	return blocks
}

func (p Plan) say(format string, args ...any) {
	if p.Progress != nil {
		_, _ = fmt.Fprintf(p.Progress, format+"\n", args...) // nobody reads: nothing is lost
	}
}

// Run calibrates and takes all rounds, handing each sample to keep. What fails
// is handed to failed and left out; Run itself fails only if ctx ends or keep
// does.
func (p Plan) Run(ctx context.Context, keep func(sample.Sample) error, failed func(error)) error {
	if p.Sample == 0 {
		p.Sample = 50 * time.Millisecond
	}
	began := time.Now()
	blocks, err := p.calibrate(ctx, failed)
	if err != nil {
		return err
	}
	p.say("calibrated in %.0f s", time.Since(began).Seconds())
	random := rand.New(rand.NewPCG(p.Seed, 0))
	for round := 1; round <= p.Rounds; round++ {
		random.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
		for _, b := range blocks {
			random.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
			for _, c := range b {
				s, err := c.program.Take(ctx, c.job)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil {
					failed(fmt.Errorf("round %d: %w", round, err))
					continue
				}
				s.Round = round
				if err := keep(s); err != nil {
					return err
				}
			}
		}
		p.say("round %d of %d, %.0f s so far", round, p.Rounds, time.Since(began).Seconds())
	}
	return nil
}

// calibrate finds how many operations of each cell fill a sample, and leaves out
// cells that fail.
func (p Plan) calibrate(ctx context.Context, failed func(error)) ([]block, error) {
	var blocks []block
	for _, b := range p.blocks() {
		var ready block
		for _, c := range b {
			w, _ := engine.FindWorkload(c.job.Workload)
			ops, err := p.fill(ctx, w, c)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				failed(fmt.Errorf("calibrating: %w", err))
				continue
			}
			c.job.Ops, c.job.Warm = ops, w.Round(ops/4)
			ready = append(ready, c)
		}
		if len(ready) > 0 {
			blocks = append(blocks, ready)
		}
	}
	return blocks, nil
}

// Calibration runs more and more operations until they take a good part of a
// sample, but not for ever: a clock may stand still.
const (
	calibrationRuns = 8
	growthLimit     = 20
)

func (p Plan) fill(ctx context.Context, w engine.Workload, c cell) (int, error) {
	ops := w.Round(w.Start)
	for range calibrationRuns {
		c.job.Ops, c.job.Warm = ops, 0
		s, err := c.program.Take(ctx, c.job)
		if err != nil {
			return 0, err
		}
		scale := float64(p.Sample) / float64(s.Wall)
		ops = w.Round(int(float64(ops) * min(scale, growthLimit)))
		if scale < 3 {
			break
		}
	}
	return ops, nil
}
