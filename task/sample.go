package task

import "weft/internal/sy"

// Sampling. A look at the clock costs a fifth of a spawn, so only one in 64 of
// what is queued in a lane, and one in 16 of what comes from outside, is timed. A
// timed task carries a flag and, in the upper half of its flags, where its time is
// kept: a place in the lane that queued it, of which there are 4. If that is still
// taken by an earlier one the task is not timed, so of a queue with more than 256
// tasks fewer are.
//
// Who queues a task owns it, and so does who takes it out: the place is filled by
// the one before the task is queued and emptied by the other, wherever the task
// has gone meanwhile.
const (
	sampleEvery        = 64 // pushes to a lane, and polls
	outsideSampleEvery = 16
	samplePlaces       = 4
	placeShift         = 16 // of task.flags
)

type sample struct {
	taken sy.Bool
	at    sy.Int64
}

// samples are the places of one lane, or of all that is no lane.
type samples [samplePlaces]sample

// clockIn times t, which is about to be queued, if the place is free. owner is the
// id of the lane, or the number of lanes for the outside.
func (rt *Runtime) clockIn(t *task, owner int, seq uint32) {
	i := int(seq % samplePlaces)
	p := &rt.samplesOf(owner)[i]
	if p.taken.Load() || !p.taken.CompareAndSwap(false, true) {
		return
	}
	p.at.Store(rt.env.Now())
	t.flags.Or(flagTimed | uint32(owner*samplePlaces+i)<<placeShift)
}

// clockOut records how long a timed task was queued, in the lane that runs it.
func (l *lane) clockOut(t *task) {
	place := int(t.flags.And((1<<placeShift-1)&^flagTimed) >> placeShift)
	p := &l.rt.samplesOf(place / samplePlaces)[place%samplePlaces]
	at := p.at.Load()
	p.taken.Store(false)
	l.waited[1-Normal].add(l.rt.env.Now() - at)
}

func (rt *Runtime) samplesOf(owner int) *samples {
	if owner < len(rt.lanes) {
		return &rt.lanes[owner].samples
	}
	return &rt.samples
}

// pollBegins is called for one poll in 64. It ends when its task waits or yields,
// or a task ends on the lane, itself or a child in place. Marked regions that kept
// their permit belong to it. (Not inlined so that polled is.)
//
//go:noinline
func (l *lane) pollBegins() { l.pollAt = l.rt.env.Now() | 1 }

func (l *lane) pollEnds() {
	l.ran.add(l.rt.env.Now() - l.pollAt)
	l.pollAt = 0
}
