package fetch

import (
	"context"

	"weft/install/report"
	"weft/install/schedule"
	"weft/npm/packument"
	"weft/task"
)

// packumentKey tells the two forms of a document apart.
func packumentKey(name string, full bool) schedule.Key {
	if full {
		name += " full"
	}
	return schedule.Key{Lane: LanePackument, Name: name}
}

// Packument returns all versions of a package, waiting for them if need be. It is
// resolve.Source's.
func (f *Fetcher) Packument(ctx context.Context, name string, full bool) (*packument.Packument, error) {
	f.submitPackument(name, full, false)
	return wait[*packument.Packument](ctx, f.o.Scheduler, packumentKey(name, full))
}

func (f *Fetcher) submitPackument(name string, full, speculative bool) {
	f.o.Scheduler.Submit(schedule.Job{
		Key:         packumentKey(name, full),
		Speculative: speculative,
		Run: func(ctx context.Context) (any, error) {
			f.o.Report.Add(report.PackumentsWanted, 1)
			defer f.o.Report.Add(report.PackumentsDone, 1)
			return task.Block(ctx, func() (*packument.Packument, error) {
				return f.o.Registry.Packument(ctx, name, full)
			})
		},
	})
}

// ForgetPackuments drops every document, once nothing is to be placed any more.
func (f *Fetcher) ForgetPackuments() {
	f.o.Scheduler.Forget(LanePackument)
	f.o.Scheduler.Forget(LanePick)
}
