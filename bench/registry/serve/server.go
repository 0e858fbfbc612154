package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"weft/bench/registry/archive"
)

// Run serves the recording in the folder data on addr until ctx ends. Once
// everything is in memory it calls ready with the registry's address, which
// ends in a slash. Port 0 in addr takes a free port.
func Run(ctx context.Context, data, addr string, opts Options, ready func(base string)) error {
	a, err := archive.Open(data)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer l.Close()
	h := FromArchive(a, opts)
	if err := h.Preload(ctx, a, l.Addr().String()); err != nil {
		return err
	}
	ready("http://" + l.Addr().String() + "/")
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// Stats counts what a server has done since it started.
type Stats struct {
	Requests int64 `json:"requests"`
	// Sent is body bytes, as they crossed the connection.
	Sent int64 `json:"sent"`
}

// StatsPath is where a server tells its Stats, as JSON. Asking counts as no
// request.
const StatsPath = "/-/stats"

func (h *Handler) stats(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(Stats{h.requests.Load(), h.sent.Load()}) // the client may be gone
}

// FetchStats asks the server at base for its counts.
func FetchStats(base string) (Stats, error) {
	var s Stats
	resp, err := http.Get(base + StatsPath[1:])
	if err != nil {
		return s, err
	}
	defer resp.Body.Close()
	return s, json.NewDecoder(resp.Body).Decode(&s)
}
