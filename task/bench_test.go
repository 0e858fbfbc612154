package task

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
)

// The benchmarks put each operation beside the same work done with plain
// goroutines. Compare within one run: absolute figures depend on the machine.

var permits = []int{1, 2, 4}

// inRuntime runs body as a task of a fresh runtime with p permits.
func inRuntime(b *testing.B, p int, body func(ctx context.Context)) {
	b.Helper()
	rt, err := Start(Config{Parallelism: p})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := rt.Shutdown(context.Background()); err != nil {
			b.Fatal(err)
		}
	}()
	b.ReportAllocs()
	b.ResetTimer()
	used := meter(b)
	h := Go(rt.Enter(context.Background()), func(ctx context.Context) (struct{}, error) {
		body(ctx)
		return struct{}{}, nil
	})
	if _, err := h.Join(context.Background()); err != nil {
		b.Fatal(err)
	}
	used()
	b.StopTimer()
}

// meter starts to count processor time and returns what reports it an operation:
// on a machine shared with others it says more than the wall clock.
func meter(b *testing.B) (report func()) {
	before := cpuTime()
	return func() { b.ReportMetric(float64(cpuTime()-before)/float64(b.N), "cpu-ns/op") }
}

func empty(context.Context) (int, error) { return 0, nil }

func BenchmarkSpawnJoin(b *testing.B) {
	const batch = 1000
	for _, p := range permits {
		b.Run(fmt.Sprint("weft/p", p), func(b *testing.B) {
			inRuntime(b, p, func(ctx context.Context) {
				hs := make([]*Handle[int], 0, batch)
				for n := b.N; n > 0; n -= batch {
					hs = hs[:0]
					for range min(n, batch) {
						hs = append(hs, Go(ctx, empty))
					}
					for _, h := range hs {
						if _, err := h.Join(ctx); err != nil {
							panic(err)
						}
					}
				}
			})
		})
	}
	b.Run("go/waitgroup", func(b *testing.B) {
		defer meter(b)()
		b.ReportAllocs()
		var wg sync.WaitGroup
		for n := b.N; n > 0; n -= batch {
			for range min(n, batch) {
				wg.Go(func() {})
			}
			wg.Wait()
		}
	})
	b.Run("go/channel", func(b *testing.B) {
		defer meter(b)()
		b.ReportAllocs()
		cs := make([]chan int, 0, batch)
		for n := b.N; n > 0; n -= batch {
			cs = cs[:0]
			for range min(n, batch) {
				c := make(chan int, 1)
				go func() { c <- 0 }()
				cs = append(cs, c)
			}
			for _, c := range cs {
				<-c
			}
		}
	})
}

func BenchmarkChainedSpawn(b *testing.B) {
	const depth = 1000
	for _, p := range permits {
		b.Run(fmt.Sprint("weft/p", p), func(b *testing.B) {
			inRuntime(b, p, func(ctx context.Context) {
				var chain func(ctx context.Context, n int) (int, error)
				chain = func(ctx context.Context, n int) (int, error) {
					if n == 0 {
						return 0, nil
					}
					return Go(ctx, func(ctx context.Context) (int, error) { return chain(ctx, n-1) }).Join(ctx)
				}
				for n := b.N; n > 0; n -= depth {
					if _, err := chain(ctx, min(n, depth)); err != nil {
						panic(err)
					}
				}
			})
		})
	}
	b.Run("go", func(b *testing.B) {
		defer meter(b)()
		b.ReportAllocs()
		var chain func(n int) int
		chain = func(n int) int {
			if n == 0 {
				return 0
			}
			c := make(chan int, 1)
			go func() { c <- chain(n - 1) }()
			return <-c
		}
		for n := b.N; n > 0; n -= depth {
			chain(min(n, depth))
		}
	})
}

// yielders is how many tasks, or goroutines, take turns in benchmarks of yields.
const yielders = 100

func BenchmarkYield(b *testing.B) {
	for _, p := range permits {
		b.Run(fmt.Sprint("weft/p", p), func(b *testing.B) {
			inRuntime(b, p, func(ctx context.Context) {
				hs := make([]*Handle[int], yielders)
				for i := range hs {
					hs[i] = Go(ctx, func(ctx context.Context) (int, error) {
						for range b.N / yielders {
							Yield(ctx)
						}
						return 0, nil
					})
				}
				for _, h := range hs {
					_, _ = h.Join(ctx)
				}
			})
		})
	}
	b.Run("go", goYield)
}

// goYield yields in as many goroutines as the benchmarks of yields have tasks.
func goYield(b *testing.B) {
	defer meter(b)()
	var wg sync.WaitGroup
	for range yielders {
		wg.Go(func() {
			for range b.N / yielders {
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
}

func BenchmarkPingPong(b *testing.B) {
	for _, p := range permits {
		b.Run(fmt.Sprint("weft/p", p), func(b *testing.B) {
			inRuntime(b, p, func(ctx context.Context) {
				var ping, pong Waiter
				h := Go(ctx, func(ctx context.Context) (int, error) {
					for range b.N {
						_ = ping.Wait(ctx)
						pong.Wake()
					}
					return 0, nil
				})
				for range b.N {
					ping.Wake()
					_ = pong.Wait(ctx)
				}
				_, _ = h.Join(ctx)
			})
		})
	}
	b.Run("go", goPingPong)
}

// goPingPong has two goroutines give each other signals through channels.
func goPingPong(b *testing.B) {
	defer meter(b)()
	ping, pong := make(chan struct{}, 1), make(chan struct{}, 1)
	go func() {
		for range b.N {
			<-ping
			pong <- struct{}{}
		}
	}()
	for range b.N {
		ping <- struct{}{}
		<-pong
	}
}

func BenchmarkBlockEmpty(b *testing.B) {
	f := func() (int, error) { return 0, nil }
	b.Run("weft/p1", func(b *testing.B) {
		inRuntime(b, 1, func(ctx context.Context) {
			for range b.N {
				_, _ = Block(ctx, f)
			}
		})
	})
	b.Run("call", func(b *testing.B) {
		for range b.N {
			_, _ = f()
		}
	})
}

func BenchmarkPanic(b *testing.B) {
	b.Run("weft/p1", func(b *testing.B) {
		inRuntime(b, 1, func(ctx context.Context) {
			for range b.N {
				_, _ = Go(ctx, func(context.Context) (int, error) { panic("no") }).Join(ctx)
			}
		})
	})
	for name, trace := range map[string]func() []byte{"go": func() []byte { return nil }, "go/trace": debug.Stack} {
		b.Run(name, func(b *testing.B) {
			defer meter(b)()
			b.ReportAllocs()
			c := make(chan any, 1)
			for range b.N {
				go func() {
					defer func() {
						if v := recover(); v != nil {
							c <- &PanicError{Value: v, Stack: trace()}
						}
					}()
					panic("no")
				}()
				<-c
			}
		})
	}
}
