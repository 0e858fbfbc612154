// Package universe holds the part of the npm registry that matters to one
// project, small enough to be committed: of each packument the versions that
// its resolution can come to, with the fields that installing needs, and in
// place of each tarball a few small files that behave like it.
//
// [Trim] makes a universe from a recording, [Load] reads a stored one, and its
// packages are served by regtest.
package universe

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"

	"weft/internal/regtest"
)

// sizeLimit bounds a stored universe when unpacked, in bytes.
const sizeLimit = 64 << 20

// ErrTooLarge reports a stored universe that unpacks to more than any real one.
var ErrTooLarge = errors.New("universe too large")

// Release is one version in a universe.
type Release struct {
	Version string `json:"v"`
	// Manifest is the packument's members, without name and version.
	Manifest   json.RawMessage `json:"m,omitempty"`
	Deprecated string          `json:"d,omitempty"`
	Tags       []string        `json:"t,omitempty"`
	// Files are the tarball's files; of most versions no tarball is ever asked
	// for, and these have none.
	Files map[string]string `json:"f,omitempty"`
	// Programs lists the files that are executable.
	Programs []string `json:"x,omitempty"`
}

// Package is one package in a universe, its versions in the packument's order.
type Package struct {
	Name     string    `json:"n"`
	Releases []Release `json:"r"`
}

// Load reads a universe that Save wrote.
func Load(path string) ([]Package, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	zr, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer zr.Close()
	data, err := io.ReadAll(io.LimitReader(zr, sizeLimit+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(data) > sizeLimit {
		return nil, fmt.Errorf("%s: %w", path, ErrTooLarge)
	}
	var list []Package
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

// Save writes a universe to a file.
func Save(path string, list []Package) error {
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	zw, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	packed := zw.EncodeAll(data, nil)
	return errors.Join(zw.Close(), os.WriteFile(path, packed, 0o644))
}

// Publish adds all packages to a registry.
func Publish(reg *regtest.Registry, list []Package) {
	for _, p := range list {
		for _, r := range p.Releases {
			modes := map[string]fs.FileMode{}
			for _, name := range r.Programs {
				modes[name] = 0o755
			}
			reg.Add(regtest.Package{
				Name: p.Name, Version: r.Version, Manifest: string(r.Manifest),
				Deprecated: r.Deprecated, Tags: r.Tags, Files: r.Files, Modes: modes,
			})
		}
	}
}
