package drive

import (
	"errors"
	"io"
	"net"
	"os"

	"weft/bench/engines/engine"
)

// Ground is what blocking workloads stand on: a file in the page cache and an
// echo server, both of this process, so that they are the same for all engines.
type Ground struct {
	File string
	Echo string
	list net.Listener
}

// NewGround makes the file and starts the server on loopback. Close it.
func NewGround() (*Ground, error) {
	file, err := os.CreateTemp("", "weft-engines-*.pages")
	if err != nil {
		return nil, err
	}
	g := &Ground{File: file.Name()}
	err = errors.Join(engine.WritePages(file), file.Close())
	if err == nil {
		g.list, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(g.File))
	}
	g.Echo = g.list.Addr().String()
	go g.serve()
	return g, nil
}

func (g *Ground) serve() {
	for {
		c, err := g.list.Accept()
		if err != nil {
			return // closed
		}
		go func() {
			_, _ = io.Copy(struct{ io.Writer }{c}, struct{ io.Reader }{c}) // until the engine hangs up
			_ = c.Close()
		}()
	}
}

// Close removes the file and ends the server.
func (g *Ground) Close() error { return errors.Join(g.list.Close(), os.Remove(g.File)) }
