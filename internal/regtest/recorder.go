package regtest

import (
	"net"
	"net/http"
	"strconv"
)

// recorder remembers the status that a handler sent.
type recorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader sends the status line.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends a part of the body.
func (w *recorder) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap gives the writer below, for http.ResponseController.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// send sends a whole body with its length. A client that is gone is no
// concern of the registry's.
func (w *recorder) send(body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}

// part sends some of a body at once.
func (w *recorder) part(body []byte) {
	_, _ = w.Write(body)
	_ = http.NewResponseController(w).Flush()
}

// reset drops the connection with a TCP reset rather than an orderly end.
func reset(w *recorder) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // makes Close send the reset
	}
	_ = conn.Close()
}
