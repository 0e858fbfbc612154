package schedule_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"weft/install/schedule"
	"weft/task"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start gives a scheduler on a runtime of the test's own.
func start(t *testing.T, lanes ...int) (context.Context, *schedule.Scheduler) {
	t.Helper()
	rt, err := task.Start(task.Config{Parallelism: 2})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(rt.Enter(context.Background()), time.Minute)
	s, err := schedule.Start(ctx, schedule.Config{Lanes: lanes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		cancel()
		if err := rt.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return ctx, s
}

func key(name string) schedule.Key { return schedule.Key{Name: name} }

func TestJobEndsHoweverItEnds(t *testing.T) {
	ctx, s := start(t, 2)
	boom := errors.New("boom")
	rows := []struct {
		name string
		run  func(context.Context) (any, error)
		want func(any, error) bool
	}{
		{"value", func(context.Context) (any, error) { return 7, nil }, func(v any, err error) bool { return v == 7 && err == nil }},
		{"error", func(context.Context) (any, error) { return nil, boom }, func(_ any, err error) bool { return errors.Is(err, boom) }},
		{"panic", func(context.Context) (any, error) { panic(boom) }, func(_ any, err error) bool {
			var p *task.PanicError
			return errors.As(err, &p) && errors.Is(err, boom) && len(p.Stack) > 0
		}},
		{"goexit", func(context.Context) (any, error) { runtime.Goexit(); return nil, nil }, func(_ any, err error) bool { return errors.Is(err, task.ErrGoexit) }},
		{"blocked", func(ctx context.Context) (any, error) {
			return task.Block(ctx, func() (any, error) { return "read", nil })
		}, func(v any, err error) bool { return v == "read" && err == nil }},
	}
	for _, row := range rows {
		s.Submit(schedule.Job{Key: key(row.name), Run: row.run})
	}
	for _, row := range rows {
		if v, err := s.Wait(ctx, key(row.name)); !row.want(v, err) {
			t.Errorf("%s: %v, %v", row.name, v, err)
		}
	}
	if _, err := s.Wait(ctx, key("nobody's")); !errors.Is(err, schedule.ErrUnknown) {
		t.Errorf("unknown: %v", err)
	}
}

func TestManyAskersOneRun(t *testing.T) {
	ctx, s := start(t, 3)
	var runs atomic.Int32
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			s.Submit(schedule.Job{Key: key("shared"), Run: func(ctx context.Context) (any, error) {
				task.Yield(ctx)
				return runs.Add(1), nil
			}})
			if v, err := s.Wait(ctx, key("shared")); v != int32(1) || err != nil {
				t.Errorf("%v, %v", v, err)
			}
		})
	}
	all.Wait()
	if runs.Load() != 1 {
		t.Errorf("ran %d times", runs.Load())
	}
}

func TestJobsSubmitJobs(t *testing.T) {
	ctx, s := start(t, 4, 1)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	const total = 2000
	parents := make([]int, total)
	for i := 1; i < total; i++ {
		parents[i] = rng.IntN(i)
	}
	submit := func(i int) {
		job := schedule.Job{Key: schedule.Key{Lane: schedule.Lane(i % 2), Name: fmt.Sprint(i)}, Speculative: i%3 == 0}
		if i > 0 {
			p := parents[i]
			job.After = []schedule.Key{{Lane: schedule.Lane(p % 2), Name: fmt.Sprint(p)}}
		}
		job.Run = func(ctx context.Context) (any, error) {
			if i%7 == 0 {
				if err := task.Sleep(ctx, time.Microsecond); err != nil {
					return nil, err
				}
			}
			return i, nil
		}
		s.Submit(job)
	}
	s.Submit(schedule.Job{Key: key("all"), Run: func(context.Context) (any, error) {
		for i := range total {
			submit(i)
		}
		return nil, nil
	}})
	if _, err := s.Wait(ctx, key("all")); err != nil {
		t.Fatal(err)
	}
	for i := range total {
		v, err := s.Wait(ctx, schedule.Key{Lane: schedule.Lane(i % 2), Name: fmt.Sprint(i)})
		if v != i || err != nil {
			t.Fatalf("job %d: %v, %v", i, v, err)
		}
	}
}

func TestCloseAnswersEverybody(t *testing.T) {
	ctx, s := start(t, 1)
	running := make(chan struct{})
	s.Submit(schedule.Job{Key: key("running"), Run: func(ctx context.Context) (any, error) {
		close(running)
		var w task.Waiter
		return nil, w.Wait(ctx)
	}})
	s.Submit(schedule.Job{Key: key("queued"), Run: func(context.Context) (any, error) {
		t.Error("a queued job ran after Close")
		return nil, nil
	}})
	<-running
	errs := make(chan error, 2)
	for _, name := range []string{"running", "queued"} {
		go func() {
			_, err := s.Wait(ctx, key(name))
			errs <- err
		}()
	}
	s.Close()
	s.Close()
	for range 2 {
		if err := <-errs; !errors.Is(err, schedule.ErrClosed) && !errors.Is(err, context.Canceled) {
			t.Errorf("asker got %v", err)
		}
	}
	if _, err := s.Wait(ctx, key("late")); !errors.Is(err, schedule.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestCancelledContextCancelsJobs(t *testing.T) {
	ctx, _ := start(t, 1)
	ctx, cancel := context.WithCancel(ctx)
	s, err := schedule.Start(ctx, schedule.Config{Lanes: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Submit(schedule.Job{Key: key("waits"), Run: func(ctx context.Context) (any, error) {
		cancel()
		var w task.Waiter
		return nil, w.Wait(ctx)
	}})
	s.Submit(schedule.Job{Key: key("next"), Run: func(context.Context) (any, error) { return 1, nil }})
	for _, name := range []string{"waits", "next"} {
		if _, err := s.Wait(context.WithoutCancel(ctx), key(name)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStartRefusesLanesWithoutLimit(t *testing.T) {
	for _, lanes := range [][]int{nil, {0}, {1, -1}} {
		if _, err := schedule.Start(context.Background(), schedule.Config{Lanes: lanes}); err == nil {
			t.Errorf("lanes %v were accepted", lanes)
		}
	}
}
