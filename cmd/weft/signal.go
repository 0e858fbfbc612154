package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"weft/install/report"
)

// interruptible returns a context that the first Ctrl-C (or SIGTERM) cancels:
// the pipeline then finishes the packages it is in the middle of and returns.
// The second one ends the process at once. stop ends the watch.
func interruptible(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		select {
		case <-done:
			return
		case <-signals:
			cancel()
		}
		select {
		case <-done:
		case <-signals:
			os.Exit(report.ExitInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		<-gone
		cancel()
	}
}

// onInterrupt calls f once ctx is cancelled. After the returned function has
// returned, f is over or will never be called.
func onInterrupt(ctx context.Context, f func()) (settled func()) {
	over := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(over)
		f()
	})
	return func() {
		if !stop() {
			<-over
		}
	}
}
