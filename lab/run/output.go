package run

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"sync"
)

// Limits on what is kept of a program's output.
const (
	OutputMax = 4 << 20  // looked through for metrics
	TailMax   = 16 << 10 // of stdout and of stderr, kept of failed runs
)

// Output is what a program wrote to stdout.
type Output struct {
	SHA256 string // of all of it
	Bytes  int64
	Head   []byte // the first OutputMax bytes, if they were asked for
	Tail   string // the last TailMax bytes
}

// collector hashes a stream and keeps its ends.
type collector struct {
	hash  hash.Hash
	bytes int64
	keep  bool // the head
	head  []byte
	tail  []byte
}

func (c *collector) Write(data []byte) (int, error) {
	c.hash.Write(data)
	c.bytes += int64(len(data))
	if room := OutputMax - len(c.head); c.keep && room > 0 {
		c.head = append(c.head, data[:min(room, len(data))]...)
	}
	c.tail = append(c.tail, data[max(0, len(data)-TailMax):]...)
	if len(c.tail) > 2*TailMax {
		c.tail = append(c.tail[:0], c.tail[len(c.tail)-TailMax:]...)
	}
	return len(data), nil
}

func (c *collector) output() Output {
	return Output{
		SHA256: hex.EncodeToString(c.hash.Sum(nil)), Bytes: c.bytes, Head: c.head,
		Tail: string(c.tail[max(0, len(c.tail)-TailMax):]),
	}
}

// collect reads both streams to their ends in the background. The function it
// gives waits for that.
func collect(stdout, stderr io.Reader, keep bool) func() (Output, string) {
	out, errs := &collector{hash: sha256.New(), keep: keep}, &collector{hash: sha256.New()}
	var both sync.WaitGroup
	both.Go(func() { io.Copy(out, stdout) }) // a broken pipe ends it as the end does
	both.Go(func() { io.Copy(errs, stderr) })
	return func() (Output, string) {
		both.Wait()
		return out.output(), errs.output().Tail
	}
}
