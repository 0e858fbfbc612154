package schedule

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// driver runs a ledger by hand: started entries wait in running until the test
// ends them.
type driver struct {
	*ledger
	running []*entry
	started []Key
}

func newDriver(limits ...int) *driver {
	d := new(driver)
	d.ledger = newLedger(limits, func(e *entry) {
		d.running = append(d.running, e)
		d.started = append(d.started, e.key)
	})
	return d
}

func (d *driver) end(i int, err error) {
	e := d.running[i]
	d.running = append(d.running[:i], d.running[i+1:]...)
	d.finished(e, e.key.Name, err)
}

func key(lane int, name string) Key { return Key{Lane(lane), name} }

func job(k Key, speculative bool, after ...Key) Job {
	return Job{Key: k, After: after, Speculative: speculative, Run: func(context.Context) (any, error) { return nil, nil }}
}

func names(keys []Key) (out []string) {
	for _, k := range keys {
		out = append(out, k.Name)
	}
	return out
}

func TestDemandedJobsOvertakeSpeculativeOnes(t *testing.T) {
	d := newDriver(1)
	d.submit(job(key(0, "first"), true))
	d.submit(job(key(0, "likely"), true))
	d.submit(job(key(0, "promoted"), true))
	d.submit(job(key(0, "needed"), false))
	d.submit(job(key(0, "promoted"), false)) // the same key again, now demanded
	for len(d.running) > 0 {
		d.end(0, nil)
	}
	want := "[first needed promoted likely]"
	if got := fmt.Sprint(names(d.started)); got != want {
		t.Errorf("started %s, want %s", got, want)
	}
}

func TestAskingPromotesWhatAJobWaitsFor(t *testing.T) {
	d := newDriver(1, 1)
	d.submit(job(key(0, "busy"), true))
	d.submit(job(key(0, "other"), true))
	d.submit(job(key(0, "tarball"), true))
	d.submit(job(key(1, "link"), true, key(0, "tarball")))
	d.ask(key(1, "link"), new(reply))
	d.end(0, nil)
	if got := d.running[0].key.Name; got != "tarball" {
		t.Errorf("%s runs next, want tarball", got)
	}
}

func TestFailureReachesEveryDependent(t *testing.T) {
	d := newDriver(9)
	boom := errors.New("boom")
	d.submit(job(key(0, "0"), false))
	const chain = 10_000
	for i := 1; i <= chain; i++ {
		d.submit(job(key(0, fmt.Sprint(i)), false, key(0, fmt.Sprint(i-1))))
	}
	r := new(reply)
	d.ask(key(0, fmt.Sprint(chain)), r)
	d.end(0, boom)
	var pre *PrerequisiteError
	if !errors.Is(r.err, boom) || !errors.As(r.err, &pre) || pre.Job.Name != fmt.Sprint(chain) {
		t.Errorf("last of the chain has %v", r.err)
	}
	if len(d.running) != 0 || d.ledger.running != 0 {
		t.Errorf("%d jobs run", len(d.running))
	}
	late := job(key(0, "late"), false, key(0, "5"))
	d.submit(late)
	if e := d.entries[late.Key]; e.state != done || !errors.Is(e.err, boom) {
		t.Errorf("a job submitted after the failure has state %d, %v", e.state, e.err)
	}
	d.submit(job(key(0, "orphan"), false, key(0, "nobody")))
	if e := d.entries[key(0, "orphan")]; !errors.Is(e.err, ErrUnknown) {
		t.Errorf("unknown prerequisite gives %v", e.err)
	}
}

func TestForgottenJobRunsAgain(t *testing.T) {
	d := newDriver(1, 1)
	d.submit(job(key(0, "a"), false))
	d.submit(job(key(1, "b"), false))
	d.end(0, nil)
	d.forget(0)
	d.submit(job(key(0, "a"), false))
	if got := fmt.Sprint(names(d.started)); got != "[a b a]" {
		t.Errorf("started %s", got)
	}
}

// TestRandomGraphs drives random graphs and checks, at each step, what must
// always hold.
func TestRandomGraphs(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for round := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, round))
		limits := []int{1 + rng.IntN(4), 1 + rng.IntN(2), 1 + rng.IntN(9)}
		d := newDriver(limits...)
		var keys []Key
		after := map[Key][]Key{}
		replies := map[Key]*reply{}
		total := 1 + rng.IntN(60)
		for len(keys) < total || len(d.running) > 0 {
			if len(keys) < total && (len(d.running) == 0 || rng.IntN(2) == 0) {
				k := key(rng.IntN(len(limits)), fmt.Sprint(len(keys)))
				for n := rng.IntN(4); n > 0 && len(keys) > 0; n-- {
					after[k] = append(after[k], keys[rng.IntN(len(keys))])
				}
				d.submit(job(k, rng.IntN(2) == 0, after[k]...))
				keys = append(keys, k)
				asked := keys[rng.IntN(len(keys))]
				replies[asked] = new(reply)
				d.ask(asked, replies[asked])
			} else {
				var err error
				if rng.IntN(8) == 0 {
					err = errors.New("failed")
				}
				d.end(rng.IntN(len(d.running)), err)
			}
			checkInvariants(t, d, limits, after)
		}
		for _, k := range keys {
			if d.entries[k].state != done {
				t.Fatalf("round %d: %v never ended", round, k)
			}
		}
		for k, r := range replies {
			if e := d.entries[k]; r.err != e.err || r.val != e.val {
				t.Fatalf("round %d: %v was answered %v, %v, want %v, %v", round, k, r.val, r.err, e.val, e.err)
			}
		}
	}
}

func checkInvariants(t *testing.T, d *driver, limits []int, after map[Key][]Key) {
	t.Helper()
	runs := map[Key]int{}
	for _, k := range d.started {
		if runs[k]++; runs[k] > 1 {
			t.Fatalf("%v was started twice", k)
		}
	}
	count := make([]int, len(limits))
	for _, e := range d.running {
		count[e.key.Lane]++
		for _, p := range after[e.key] {
			if q := d.entries[p]; q.state != done || q.err != nil {
				t.Fatalf("%v runs before %v succeeded", e.key, p)
			}
		}
	}
	for i, n := range count {
		if n != d.lanes[i].active || n > limits[i] {
			t.Fatalf("lane %d: %d run, %d counted, limit %d", i, n, d.lanes[i].active, limits[i])
		}
		if n == limits[i] {
			continue
		}
		for _, e := range d.entries {
			if e.key.Lane == Lane(i) && e.state == ready {
				t.Fatalf("lane %d has room and %v is ready", i, e.key)
			}
		}
	}
}
