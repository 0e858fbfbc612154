package task

import (
	"sync"

	"weft/internal/sy"
)

// plainRuntime serves waits of goroutines that belong to no runtime. It has no
// workers and admits nothing.
var plainRuntime = &Runtime{env: sy.Real{}}

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
