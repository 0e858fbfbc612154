package task

import (
	"context"
	"sync"

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
	rt, err := Start(Config{Name: "default"})
	if err != nil {
		panic(err) // the zero Config always validates
	}
	return rt
})

// Default returns the runtime that serves callers who never made one. It is
// started at first use and lives as long as the process.
func Default() *Runtime { return startDefault() }
