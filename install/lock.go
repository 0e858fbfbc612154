package install

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"weft/task"
)

// lockProject makes this the only weft that works in the project. The lock is a
// file in the cache, named by the project's folder, since node_modules itself
// may be removed; the system releases it when a process dies.
func (s *session) lockProject(ctx context.Context) (unlock func(), err error) {
	real, err := filepath.EvalSymlinks(s.project.dir)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(real))
	dir := filepath.Join(s.folders.cache, "projects")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("lock the project: %w", err)
	}
	path := filepath.Join(dir, hex.EncodeToString(sum[:16])+".lock")
	type result struct {
		unlock func()
		err    error
	}
	got := make(chan result, 1)
	go func() { // the lock itself cannot be waited for with a context
		unlock, err := lockedfile.MutexAt(path).Lock()
		got <- result{unlock, err}
	}()
	r, err := task.Block(ctx, func() (result, error) {
		select {
		case r := <-got:
			return r, nil
		case <-time.After(100 * time.Millisecond): // long enough not to be noticed
			s.rep.Detail("waiting for another weft in this project")
		}
		select {
		case r := <-got:
			return r, nil
		case <-ctx.Done():
			return result{}, context.Cause(ctx)
		}
	})
	if err != nil {
		go func() {
			if r := <-got; r.err == nil {
				r.unlock()
			}
		}()
		return nil, err
	}
	if r.err != nil {
		return nil, fmt.Errorf("lock the project: %w", r.err)
	}
	return r.unlock, nil
}
