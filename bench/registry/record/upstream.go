// Package record fills an archive: a proxy on loopback forwards what installers
// ask for to a registry and keeps every answer.
package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"weft/bench/registry/archive"
)

// bodyLimit bounds one answer of the upstream registry, in bytes.
const bodyLimit = 1 << 30

// Upstream is a serve.Source that reads an archive first, then other archives,
// then a registry, and stores what it had to fetch. Each document is fetched
// once, however many ask for it at the same time.
type Upstream struct {
	archive *archive.Archive
	reuse   []*archive.Archive
	client  *http.Client
	slots   chan struct{}
	pause   time.Duration // before a second try, twice as long before a third

	mu      sync.Mutex
	pending map[string]*fetch

	fetched, reused int
}

type fetch struct {
	done chan struct{}
	err  error
}

// NewUpstream makes a source over a, whose Info.Origin names the registry.
// What an archive of reuse holds is copied from there instead of fetched. At
// most parallel requests are in flight.
func NewUpstream(a *archive.Archive, reuse []*archive.Archive, parallel int) *Upstream {
	return &Upstream{
		archive: a,
		reuse:   reuse,
		client:  &http.Client{Timeout: 5 * time.Minute},
		slots:   make(chan struct{}, parallel),
		pending: map[string]*fetch{},
		pause:   time.Second,
	}
}

// Counts tells how many documents came from the registry and how many from
// other archives.
func (u *Upstream) Counts() (fetched, reused int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.fetched, u.reused
}

// Doc gives a package's packument.
func (u *Upstream) Doc(ctx context.Context, name string) (*archive.Doc, error) {
	if doc, err := u.archive.Doc(name); !errors.Is(err, archive.ErrAbsent) {
		return doc, err
	}
	err := u.once(name, func() error {
		if _, err := u.archive.Doc(name); err == nil {
			return nil // stored since the first look
		}
		for _, other := range u.reuse {
			if doc, err := other.Doc(name); err == nil {
				_, err = u.archive.PutDoc(name, doc.Full)
				u.count(false)
				return err
			}
		}
		data, err := u.get(strings.Replace(name, "/", "%2f", 1))
		if err != nil {
			return err
		}
		_, err = u.archive.PutDoc(name, data)
		u.count(true)
		return err
	})
	if err != nil {
		return nil, err
	}
	return u.archive.Doc(name)
}

// Tarball gives a tarball by the path of its address.
func (u *Upstream) Tarball(ctx context.Context, path string) ([]byte, error) {
	if data, err := u.archive.Tarball(path); !errors.Is(err, archive.ErrAbsent) {
		return data, err
	}
	err := u.once("tgz:"+path, func() error {
		if _, err := u.archive.Tarball(path); err == nil {
			return nil // stored since the first look
		}
		for _, other := range u.reuse {
			if data, err := other.Tarball(path); err == nil {
				u.count(false)
				return u.archive.PutTarball(path, data)
			}
		}
		data, err := u.get(path)
		if err != nil {
			return err
		}
		u.count(true)
		return u.archive.PutTarball(path, data)
	})
	if err != nil {
		return nil, err
	}
	return u.archive.Tarball(path)
}

// once runs do unless it already runs for the same key, in which case it waits
// for that run and shares its error. The run does not end with the request
// that began it.
func (u *Upstream) once(key string, do func() error) error {
	u.mu.Lock()
	f, running := u.pending[key]
	if !running {
		f = &fetch{done: make(chan struct{})}
		u.pending[key] = f
	}
	u.mu.Unlock()
	if running {
		<-f.done
		return f.err
	}
	f.err = do()
	u.mu.Lock()
	delete(u.pending, key)
	u.mu.Unlock()
	close(f.done)
	return f.err
}

func (u *Upstream) count(fetched bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if fetched {
		u.fetched++
	} else {
		u.reused++
	}
}

// get fetches a path below the origin, with two more tries after a failure of
// the network or a server error.
func (u *Upstream) get(path string) ([]byte, error) {
	u.slots <- struct{}{}
	defer func() { <-u.slots }()
	var last error
	for try := range 3 {
		if try > 0 {
			time.Sleep(time.Duration(try) * u.pause)
		}
		data, retry, err := u.tryGet(u.archive.Info.Origin + path)
		if err == nil || !retry {
			return data, err
		}
		last = err
	}
	return nil, last
}

func (u *Upstream) tryGet(url string) (data []byte, retry bool, err error) {
	resp, err := u.client.Get(url)
	if err != nil {
		return nil, true, err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusNotFound:
		return nil, false, archive.ErrAbsent
	case resp.StatusCode != http.StatusOK:
		return nil, resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests,
			fmt.Errorf("GET %s: %s", url, resp.Status)
	}
	data, err = io.ReadAll(io.LimitReader(resp.Body, bodyLimit+1))
	if err == nil && len(data) > bodyLimit {
		return nil, false, fmt.Errorf("GET %s: more than %d bytes", url, bodyLimit)
	}
	return data, true, err
}
