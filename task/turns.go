package task

import "runtime"

// Turns. Under wasm all goroutines share one thread, and nothing interrupts the one
// that has it: there is no signal, and no thread to send one. A worker that never
// runs out of tasks goes from stack to stack without the Go scheduler's notice,
// which would keep every other goroutine from running, the monitor too, and every
// timer from firing. So the scheduler gives the thread away now and then: at every
// 61st pick, and at the checkpoints of tasks that pick nothing.
//
// Elsewhere the Go runtime interrupts what runs for 10 ms, and this is nothing.
const oneThread = runtime.GOARCH == "wasm"

// giveTurn lets other goroutines run. The caller holds no lock.
func giveTurn() {
	if oneThread {
		runtime.Gosched()
	}
}
