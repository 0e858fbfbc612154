package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"weft/bench/registry/archive"
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
	a, err := archive.Open(*data)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	h := serve.FromArchive(a, serve.Options{Delay: *delay, Failed: report})
	if err := h.Preload(ctx, a, l.Addr().String()); err != nil {
		return err
	}
	// The address is the one line on standard output: whoever started this
	// program waits for it.
	fmt.Printf("http://%s/\n", l.Addr())
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
