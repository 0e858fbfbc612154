package serve

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"weft/bench/registry/archive"
)

// fromDisk makes an archive a Source.
type fromDisk struct{ *archive.Archive }

func (d fromDisk) Doc(_ context.Context, name string) (*archive.Doc, error) {
	return d.Archive.Doc(name)
}

func (d fromDisk) Tarball(_ context.Context, path string) ([]byte, error) {
	return d.Archive.Tarball(path)
}

// FromArchive makes a handler that serves an archive.
func FromArchive(a *archive.Archive, opts Options) *Handler {
	return New(fromDisk{a}, a.Info.Origin, opts)
}

// Preload reads every packument of a, rendered for the given host (such as
// "127.0.0.1:4873"), and every tarball into memory. It blocks until done and
// uses all processors.
func (h *Handler) Preload(ctx context.Context, a *archive.Archive, host string) error {
	names, err := a.Names()
	if err != nil {
		return err
	}
	if err := each(names, func(name string) error {
		_, err := h.render(ctx, name, host)
		return err
	}); err != nil {
		return fmt.Errorf("preload: %w", err)
	}
	paths, err := a.Tarballs()
	if err != nil {
		return err
	}
	if err := each(paths, func(path string) error {
		data, err := a.Tarball(path)
		if err != nil {
			return err
		}
		h.mu.Lock()
		h.tarballs[path] = data
		h.mu.Unlock()
		return nil
	}); err != nil {
		return fmt.Errorf("preload: %w", err)
	}
	return nil
}

// each calls do for every item on as many goroutines as there are processors,
// and returns the first error.
func each(items []string, do func(string) error) error {
	var (
		wg    sync.WaitGroup
		once  sync.Once
		first error
		next  = make(chan string)
	)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for item := range next {
				if err := do(item); err != nil {
					once.Do(func() { first = err })
				}
			}
		})
	}
	for _, item := range items {
		next <- item
	}
	close(next)
	wg.Wait()
	return first
}
