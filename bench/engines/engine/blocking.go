package engine

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"os"
	"syscall"
)

const (
	pageSize    = 4096
	pages       = 256
	connections = 64
	messageSize = 64
)

// Setting is what workloads find ready before the clock runs.
type Setting struct {
	Parallelism int
	File        *os.File   // of WritePages
	Connections []net.Conn // to an echo server
}

// Open makes the setting of one workload from the path of a file made by
// WritePages and the address of an echo server.
func Open(workload string, parallelism int, file, echo string) (*Setting, error) {
	s := &Setting{Parallelism: parallelism}
	switch workload {
	case "cached-read", "mixed":
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		s.File = f
	case "sockets":
		for range connections {
			c, err := net.Dial("tcp", echo)
			if err != nil {
				s.Close()
				return nil, err
			}
			s.Connections = append(s.Connections, c)
		}
	}
	return s, nil
}

// Close closes the file and the connections.
func (s *Setting) Close() {
	if s.File != nil {
		_ = s.File.Close() // it was only read
	}
	for _, c := range s.Connections {
		_ = c.Close() // nothing is under way
	}
}

// WritePages fills a file with 256 pages of 4 KiB, each of the byte that is its
// number.
func WritePages(w io.Writer) error {
	page := make([]byte, pageSize)
	for n := range pages {
		for i := range page {
			page[i] = byte(n)
		}
		if _, err := w.Write(page); err != nil {
			return err
		}
	}
	return nil
}

// readPage returns the first byte of a page.
func (s *Setting) readPage(n int, page []byte) (int64, error) {
	if _, err := s.File.ReadAt(page, int64(n%pages*pageSize)); err != nil {
		return 0, err
	}
	return int64(page[0]), nil
}

// share is task i's part of ops.
func share(ops, tasks, i int) int {
	if i < ops%tasks {
		return ops/tasks + 1
	}
	return ops / tasks
}

func runCachedRead(ctx context.Context, e Engine, s *Setting, ops int) int64 {
	return e.Batch(ctx, s.Parallelism, func(ctx context.Context, i int) (sum int64) {
		page := make([]byte, pageSize)
		n := 0
		read := func() (int64, error) { return s.readPage(n, page) }
		for n = range share(ops, s.Parallelism, i) {
			sum += must(e.Block(ctx, read))
		}
		return sum
	})
}

func sumCachedRead(ops, parallelism int) (sum int64) {
	for i := range parallelism {
		n := share(ops, parallelism, i)
		sum += int64(n/pages)*series(pages) + series(n%pages)
	}
	return sum
}

//go:noinline
func plain(n int) (int64, error) { return int64(n & 1), nil }

func runBlockEmpty(ctx context.Context, e Engine, _ *Setting, ops int) (sum int64) {
	n := 0
	call := func() (int64, error) { return plain(n) }
	for n = range ops {
		sum += must(e.Block(ctx, call))
	}
	return sum
}

func runSockets(ctx context.Context, e Engine, s *Setting, ops int) int64 {
	each := ops / connections
	return e.Batch(ctx, connections, func(ctx context.Context, i int) (sum int64) {
		c := s.Connections[i]
		message, answer := make([]byte, messageSize), make([]byte, messageSize)
		wait := func() (int64, error) {
			_, err := io.ReadFull(c, answer)
			return int64(binary.LittleEndian.Uint64(answer)), err
		}
		for n := range each {
			binary.LittleEndian.PutUint64(message, uint64(n))
			must(c.Write(message))
			sum += must(e.Block(ctx, wait))
		}
		return sum
	})
}

func sumSockets(ops, _ int) int64 { return connections * series(ops/connections) }

// nanosleep blocks the thread. Go interrupts system calls with signals, so the
// rest is slept again.
func nanosleep(nanoseconds int64) (int64, error) {
	left := syscall.NsecToTimespec(nanoseconds)
	for {
		err := syscall.Nanosleep(&left, &left)
		if err != syscall.EINTR {
			return 0, err
		}
	}
}

func runBlockMs(ctx context.Context, e Engine, _ *Setting, ops int) (sum int64) {
	for range ops / sleepers {
		sum += e.Batch(ctx, sleepers, func(ctx context.Context, i int) int64 {
			must(e.Block(ctx, func() (int64, error) { return nanosleep(1_000_000) }))
			return int64(i)
		})
	}
	return sum
}
