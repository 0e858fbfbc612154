package install

import (
	"context"
	"errors"
	"time"

	"weft/install/report"
	"weft/task"
)

// unwindMax is how long an install that ended waits for its last tasks. They
// end by themselves once cancelled, at the latest when a system call returns.
const unwindMax = 10 * time.Second

// Run does one install, on a runtime of its own, and blocks until it is over. On
// any error, a cancelled ctx among them, node_modules holds for each package
// either what was there before or what was to be there, never a part of it.
//
// Errors are those of the stages, wrapped in *report.PackageError where they are
// about a package; report.Diagnose puts them into words.
func Run(ctx context.Context, o Options) (*report.Summary, error) {
	rt, err := task.Start(task.Config{Name: "install"})
	if err != nil {
		return nil, err
	}
	h := task.Go(rt.Enter(ctx), func(ctx context.Context) (*report.Summary, error) {
		s := &session{o: o, rep: o.Report, started: time.Now()}
		defer s.close()
		return s.run(ctx)
	})
	// The task ends by itself when ctx does; waiting for less would leave its
	// last writes behind.
	summary, err := h.Join(context.WithoutCancel(ctx))
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), unwindMax)
	defer cancel()
	if serr := rt.Shutdown(end); err == nil && serr != nil {
		err = serr
	}
	if err != nil {
		return nil, err
	}
	return summary, nil
}

// run is the order of an install.
func (s *session) run(ctx context.Context) (*report.Summary, error) {
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	if s.upToDate() {
		return s.summary(), nil
	}
	unlock, err := s.lockProject(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if s.overtaken() {
		if err := s.open(ctx); err != nil {
			return nil, err
		}
		if s.upToDate() {
			return s.summary(), nil
		}
	}
	if err := s.readLock(); err != nil {
		return nil, err
	}
	if err := s.connect(ctx); err != nil {
		return nil, err
	}
	for _, stage := range []func(context.Context) error{s.resolve, s.assemble, s.save} {
		if err := stage(ctx); err != nil {
			if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
				err = errors.Join(err, cause)
			}
			return nil, err
		}
	}
	return s.summary(), nil
}
