package task

import (
	"context"
	"sync"
	"time"

	"weft/internal/sy"
)

// plainRuntime serves waits of goroutines that belong to no runtime. It has no
// workers and admits nothing.
var plainRuntime = func() *Runtime {
	rt := &Runtime{env: sy.Real{}}
	rt.root.family = &family{rt: rt, base: context.Background()}
	return rt
}()

var startDefault = sync.OnceValue(func() *Runtime {
	rt, err := Start(Config{Name: "default", IdleExit: time.Second})
	if err != nil {
		panic(err) // this Config always validates
	}
	return rt
})

// Default returns the runtime that serves callers who never made one. It is
// started at first use and lives as long as the process. Its workers, its monitor
// and its resting coroutines go when there is no work for a few seconds, and come
// back with work, so that an idle one costs no goroutine.
//
// Inside a testing/synctest bubble it panics: a runtime that outlives the bubble
// cannot serve it. Start one there, shut it down there, and Enter it.
func Default() *Runtime {
	if bubbled() {
		panic("task: the default runtime cannot be used inside a testing/synctest bubble; Start one there and Enter it")
	}
	return startDefault()
}
