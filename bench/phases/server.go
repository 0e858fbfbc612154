package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"weft/bench/registry/serve"
)

// serveWord is the hidden first argument that makes this program the registry.
const serveWord = "serve-child"

// startServer runs the registry in a process of its own, whose memory and time
// no tool's figures include, and returns its address.
func startServer(data string, delay time.Duration) (base string, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.Command(self, serveWord, data, delay.String())
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, fmt.Errorf("start registry: %w", err)
	}
	stop = func() {
		_ = in.Close() // its end is the signal to stop
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("start registry: %w", err)
	}
	return strings.TrimSpace(line), stop, nil
}

// serveChild is the registry process. It ends when standard input does, so it
// cannot outlive the measurement.
func serveChild(data, delay string) error {
	d, err := time.ParseDuration(delay)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		cancel()
	}()
	failed := func(path string, err error) { fmt.Fprintf(os.Stderr, "registry: %s: %v\n", path, err) }
	return serve.Run(ctx, data, "127.0.0.1:0", serve.Options{Delay: d, Failed: failed},
		func(base string) { fmt.Println(base) })
}
