package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"weft/bench/registry/serve"
)

func serveCommand(args []string) error {
	flags := flag.NewFlagSet("serve", flag.ExitOnError)
	data := flags.String("data", "", "recording to serve (required)")
	addr := flags.String("addr", "127.0.0.1:0", "address to listen on; port 0 takes a free one")
	delay := flags.Duration("delay", 0, "time added to each request")
	_ = flags.Parse(args) // exits on error
	if *data == "" {
		return errors.New("serve: --data is required")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The address is the one line on standard output: whoever started this
	// program waits for it.
	return serve.Run(ctx, *data, *addr, serve.Options{Delay: *delay, Failed: report},
		func(base string) { fmt.Println(base) })
}
