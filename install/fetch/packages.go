package fetch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"weft/install/report"
	"weft/install/resolve"
	"weft/install/schedule"
	"weft/install/store"
	"weft/npm/integrity"
	"weft/npm/manifest"
	"weft/npm/registry"
	"weft/npm/tarball"
	"weft/task"
)

// Ref says which package content is meant.
type Ref struct {
	// Name is the package's own name; it decides which registry and credentials
	// an address belongs to.
	Name string
	// Version is needed only where Resolved is "": the registry is asked for its
	// address then.
	Version string
	// Resolved is the tarball's address, or "file:" and an absolute path.
	Resolved string
	// Integrity is the metadata to verify, "" to take what comes.
	Integrity string
}

// RefOf names the content of a registry's manifest.
func RefOf(m *manifest.Manifest) Ref {
	verify, _ := integrity.FromDist(m.Dist.Integrity, m.Dist.Shasum)
	return Ref{Name: m.Name, Resolved: m.Dist.Tarball, Integrity: verify.String()}
}

// Key is the name of the job that gets it, for jobs that come after.
func (r Ref) Key() schedule.Key {
	name := r.Integrity
	if name == "" {
		name = r.Resolved
	}
	if name == "" {
		name = r.Name + "@" + r.Version
	}
	return schedule.Key{Lane: LaneTarball, Name: name}
}

// attempts is how often a tarball is downloaded whose bytes are not what was
// promised: once more in case a proxy or a cache cut it, and once more from the
// origin itself.
const attempts = 3

// Need asks for a package without waiting.
func (f *Fetcher) Need(r Ref) { f.submitPackage(r, false) }

// Prefetch asks for a package that is only likely to be needed.
func (f *Fetcher) Prefetch(r Ref) { f.submitPackage(r, true) }

// Package returns a package of the store, having fetched it if need be.
func (f *Fetcher) Package(ctx context.Context, r Ref) (*store.Package, error) {
	f.submitPackage(r, false)
	return wait[*store.Package](ctx, f.o.Scheduler, r.Key())
}

// Unpacked returns the content of a package. It is resolve.Source's.
func (f *Fetcher) Unpacked(ctx context.Context, name, resolved, sri string) (resolve.Unpacked, error) {
	p, err := f.Package(ctx, Ref{Name: name, Resolved: resolved, Integrity: sri})
	if err != nil {
		return resolve.Unpacked{}, err
	}
	return resolve.Unpacked{Files: os.DirFS(p.Dir), Integrity: p.Key}, nil
}

func (f *Fetcher) submitPackage(r Ref, speculative bool) {
	f.used.note(r.Key().Name, speculative)
	f.o.Scheduler.Submit(schedule.Job{
		Key:         r.Key(),
		Speculative: speculative,
		Run: func(ctx context.Context) (any, error) {
			p, err := f.get(ctx, r)
			if err != nil {
				f.lost.note(r.Key(), err)
			}
			return p, err
		},
	})
}

// get looks into the store, else downloads until the bytes are right. What is
// damaged in the store counts as absent: putting it again replaces it.
func (f *Fetcher) get(ctx context.Context, r Ref) (*store.Package, error) {
	if key := storeKey(r.Integrity); key != "" {
		p, err := f.o.Store.Get(key)
		if err == nil {
			return p, nil
		}
		if !errors.Is(err, store.ErrAbsent) && !errors.Is(err, store.ErrCorrupt) {
			return nil, err
		}
	}
	f.o.Report.Add(report.TarballsWanted, 1)
	defer f.o.Report.Add(report.TarballsDone, 1)
	r, err := f.locate(ctx, r)
	if err != nil {
		return nil, err
	}
	for i := range attempts {
		var p *store.Package
		if p, err = f.download(ctx, r, i > 0); err == nil || !damaged(r, err) || ctx.Err() != nil {
			return p, err
		}
		f.o.Report.Detail("%s: %v, trying again", r.Name, err)
	}
	return nil, err
}

// locate finds the address of a package that a lockfile gives none for.
func (f *Fetcher) locate(ctx context.Context, r Ref) (Ref, error) {
	if r.Resolved != "" {
		return r, nil
	}
	p, err := f.Packument(ctx, r.Name, false)
	if err != nil {
		return r, err
	}
	m, err := p.Manifest(r.Version)
	if err != nil {
		return r, err
	}
	found := RefOf(m)
	if r.Integrity != "" {
		found.Integrity = r.Integrity
	}
	found.Name = r.Name
	return found, nil
}

// Again fetches a package whose copy in the store is damaged, in place of it. It
// does so once, for all who noticed.
func (f *Fetcher) Again(ctx context.Context, r Ref, bad *store.Package) (*store.Package, error) {
	key := schedule.Key{Lane: LaneTarball, Name: "again " + bad.Key}
	f.o.Scheduler.Submit(schedule.Job{Key: key, Run: func(ctx context.Context) (any, error) {
		if err := f.o.Store.Delete(bad.Key); err != nil {
			return nil, err
		}
		return f.get(ctx, r)
	}})
	return wait[*store.Package](ctx, f.o.Scheduler, key)
}

// damaged reports whether another download may give other bytes. What has the
// promised hash is what was published, however odd; without a hash only its form
// tells.
func damaged(r Ref, err error) bool {
	if mismatch := (*integrity.MismatchError)(nil); errors.As(err, &mismatch) {
		return true
	}
	return r.Integrity == "" &&
		(errors.Is(err, tarball.ErrGzip) || errors.Is(err, tarball.ErrFormat) || errors.Is(err, tarball.ErrTruncated))
}

// download gets the bytes, verifies them and puts what they hold into the store.
func (f *Fetcher) download(ctx context.Context, r Ref, fresh bool) (*store.Package, error) {
	body, release, err := f.bytes(ctx, r, fresh)
	if err != nil {
		return nil, err
	}
	defer release()
	key, err := integrity.Check(body, integrity.Parse(r.Integrity))
	if err != nil {
		return nil, fmt.Errorf("verify %s: %w", r.Resolved, err)
	}
	if p, err := f.o.Store.Get(key); err == nil {
		return p, nil
	}
	archive, err := tarball.Open(body, f.o.Limits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Resolved, err)
	}
	defer archive.Release()
	return f.o.Store.Put(key, archive)
}

// bytes reads a tarball from the registry or from disk.
func (f *Fetcher) bytes(ctx context.Context, r Ref, fresh bool) ([]byte, func(), error) {
	if path, ok := strings.CutPrefix(r.Resolved, "file:"); ok {
		data, err := os.ReadFile(path)
		return data, func() {}, err
	}
	t, err := task.Block(ctx, func() (*registry.Tarball, error) {
		return f.o.Registry.Tarball(ctx, r.Resolved, registry.TarballOptions{Package: r.Name, Fresh: fresh})
	})
	if err != nil {
		return nil, nil, err
	}
	return t.Data, t.Release, nil
}

// storeKey is the name of verified content: its SHA-512. Weaker metadata does not
// name content in the store.
func storeKey(sri string) string {
	algorithm, hashes := integrity.Parse(sri).Strongest()
	if algorithm != integrity.SHA512 || len(hashes) != 1 {
		return ""
	}
	return algorithm + "-" + hashes[0].Digest
}
