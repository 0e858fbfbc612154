package task_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime/pprof"
	"runtime/trace"
	"sync"

	"weft/task"
)

func ExampleConfig_profileLabels() {
	rt, _ := task.Start(task.Config{ProfileLabels: true})
	defer rt.Shutdown(context.Background())

	pprof.Do(rt.Enter(context.Background()), pprof.Labels("request", "17"), func(ctx context.Context) {
		h := task.Go(ctx, func(ctx context.Context) (string, error) {
			name, _ := pprof.Label(ctx, "task")
			request, _ := pprof.Label(ctx, "request")
			return name + " for request " + request, nil
		}, task.Name("resize"))
		fmt.Println(h.Join(ctx))
	})
	// Output: resize for request 17 <nil>
}

func ExampleName_trace() {
	rt, _ := task.Start(task.Config{})
	defer rt.Shutdown(context.Background())

	var out bytes.Buffer // a file, for go tool trace
	if err := trace.Start(&out); err != nil {
		fmt.Println(err)
	}
	_, err := task.Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		defer trace.StartRegion(ctx, "decode").End()
		return 0, nil
	}, task.Name("resize")).Join(context.Background())
	trace.Stop()
	fmt.Println(bytes.Contains(out.Bytes(), []byte("resize")), err)
	// Output: true <nil>
}

func ExampleBlock_goroutines() {
	rt, _ := task.Start(task.Config{Parallelism: 1})
	defer rt.Shutdown(context.Background())

	h := task.Go(rt.Enter(context.Background()), func(ctx context.Context) (int, error) {
		var group sync.WaitGroup // or an errgroup
		var sum [3]int
		for i := range sum {
			group.Go(func() { // a goroutine, with the task's context
				sum[i], _ = task.Go(ctx, func(context.Context) (int, error) { return i, nil }).Join(ctx)
			})
		}
		_, err := task.Block(ctx, func() (int, error) { group.Wait(); return 0, nil })
		return sum[0] + sum[1] + sum[2], err
	})
	fmt.Println(h.Join(context.Background()))
	// Output: 3 <nil>
}

func ExampleStart_two() {
	requests, _ := task.Start(task.Config{Name: "requests", Parallelism: 4})
	defer requests.Shutdown(context.Background())
	images, _ := task.Start(task.Config{Name: "images", Parallelism: 1})
	defer images.Shutdown(context.Background())

	h := task.Go(requests.Enter(context.Background()), func(ctx context.Context) (string, error) {
		// It waits here without a permit, and its cancellation reaches there.
		return task.Go(images.Enter(ctx), func(context.Context) (string, error) {
			return "resized", nil
		}).Join(ctx)
	})
	fmt.Println(h.Join(context.Background()))
	fmt.Println(requests.Stats().Spawned, images.Stats().Spawned)
	// Output:
	// resized <nil>
	// 1 1
}
