package registry

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"time"
)

// cacheFileMax is the largest cache file that is read, in bytes.
const cacheFileMax = 1 << 30

// cache is the metadata cache in a folder: one file a document. A file appears
// under its name by a rename, so that readers see the old or the new one and
// any number of processes may write; what a crash left torn the checksums find.
// Anything odd about a file means that it is not there. The zero value has no
// folder and finds nothing.
type cache struct {
	dir string
}

// cacheKey names a document: what it is, where it is from, and whom it was
// shown to. The credential itself is only in the hash.
type cacheKey struct {
	full    bool
	address string
	secret  string // Authorization and client certificate, "" where none
}

// name is the document's file name.
func (k cacheKey) name() string {
	kind := "abbreviated"
	if k.full {
		kind = "full"
	}
	sum := sha256.Sum256([]byte(kind + "\x00" + k.address + "\x00" + k.secret))
	return hex.EncodeToString(sum[:20])
}

func (c cache) path(k cacheKey) string { return filepath.Join(c.dir, k.name()) }

// read gives a stored document, or nil.
func (c cache) read(k cacheKey) *entry {
	if c.dir == "" {
		return nil
	}
	f, err := os.Open(c.path(k))
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > cacheFileMax {
		return nil
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil
	}
	e, err := decodeEntry(data, k.address)
	if err != nil {
		return nil
	}
	return e
}

// temporary is the folder in which files are written before they get their name.
func (c cache) temporary() string { return filepath.Join(c.dir, "tmp") }

// write stores a document. An error leaves what was there.
func (c cache) write(k cacheKey, e entry) error {
	top := encodeHead(k.address, e, 0)
	if top == nil {
		return nil // headers beyond all measure are not worth a place
	}
	f, err := os.CreateTemp(c.temporary(), "")
	if err != nil {
		return err
	}
	_, err = f.Write(top)
	if err == nil {
		_, err = f.Write(e.body)
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), c.path(k))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// refresh gives a stored document the validity of e, whose body is the stored
// one. Where another process replaced the file meanwhile, or the head has no
// room, the document is written anew. A reader that sees half of a head finds a
// wrong checksum and takes the file for missing.
func (c cache) refresh(k cacheKey, e entry) error {
	f, err := os.OpenFile(c.path(k), os.O_RDWR, 0)
	if err != nil {
		return c.write(k, e)
	}
	defer f.Close()
	data := make([]byte, roomMax)
	n, err := f.ReadAt(data, 0)
	if err != nil && err != io.EOF {
		return c.write(k, e)
	}
	h, err := decodeHead(data[:n])
	if err != nil || h.address != k.address || h.bodyLen != uint64(len(e.body)) || h.bodySum != crc32.Checksum(e.body, castagnoli) {
		return c.write(k, e)
	}
	top := encodeHead(k.address, e, h.room)
	if top == nil {
		return c.write(k, e)
	}
	_, err = f.WriteAt(top, 0)
	return err
}

// sweep removes what killed processes left half written.
func (c cache) sweep(now time.Time) {
	entries, _ := os.ReadDir(c.temporary())
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > time.Hour {
			os.Remove(filepath.Join(c.temporary(), e.Name()))
		}
	}
}
