//go:build !js && !wasip1

package task

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestHandlers serves HTTP with handlers that spawn with the request's context. A
// client that goes away cancels the tasks of its request, and no others.
func TestHandlers(t *testing.T) {
	rt := start(t, Config{Parallelism: 1})
	begun, ended := make(chan struct{}), make(chan error, 1)
	mux := http.NewServeMux()
	mux.HandleFunc("/sum", func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		parts, err := Map(ctx, []int{1, 2, 3, 4}, func(ctx context.Context, n int) (int, error) { return n * n, Sleep(ctx, time.Microsecond) })
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		v, err := Go(ctx, func(context.Context) (int, error) { return parts[0] + parts[1] + parts[2] + parts[3], nil }).Join(ctx)
		fmt.Fprintln(w, v, err)
	})
	mux.HandleFunc("/wait", func(_ http.ResponseWriter, r *http.Request) {
		h := Go(r.Context(), func(ctx context.Context) (int, error) { close(begun); return 0, Sleep(ctx, time.Hour) })
		_, err := h.Join(context.Background())
		ended <- err
	})
	server := httptest.NewUnstartedServer(mux)
	server.Config.BaseContext = func(net.Listener) context.Context { return rt.Enter(context.Background()) }
	server.Start()
	defer server.Close()
	client := server.Client()
	defer client.CloseIdleConnections()
	get := func(ctx context.Context, path string) (string, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, nil)
		if err != nil {
			return "", err
		}
		resp, err := client.Do(req)
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		return string(body), err
	}
	leaves, leave := context.WithCancel(context.Background())
	left := make(chan error, 1)
	go func() { _, err := get(leaves, "/wait"); left <- err }()
	<-begun
	// Clients that are tasks of the same runtime, with one permit for both sides.
	err := Run(rt.Enter(context.Background()), func(s *Scope) error {
		for range 8 {
			s.Go(func(ctx context.Context) error {
				body, err := Block(ctx, func() (string, error) { return get(ctx, "/sum") })
				if err == nil && body != "30 <nil>\n" {
					t.Errorf("the answer is %q", body)
				}
				return err
			})
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the client that left: %v", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("its task: %v", err)
	}
}
