//go:build linux || darwin

package link

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"weft/install/internal/dirfd"
	"weft/install/store"
	"weft/npm/tarball"
)

// The benchmarks work on a tree of the shape of a middling project: 700 packages with 35,000 files in 3,000 folders.
const (
	benchPackages = 700
	benchFiles    = 50
	benchPerDir   = 12
)

// benchStore fills a store once for all benchmarks. Everything it makes, and what they make, is removed at the very end:
// file systems remember deleted files, and creating is slower for minutes after.
var benchStore = sync.OnceValues(func() (*store.Store, []*store.Package) {
	s, err := store.Open(filepath.Join(scratch(), "store"))
	if err != nil {
		panic(err)
	}
	packages := make([]*store.Package, benchPackages)
	for i := range packages {
		if packages[i], err = s.Put(testKey(fmt.Sprint("bench", i)), benchArchive(i)); err != nil {
			panic(err)
		}
	}
	return s, packages
})

func benchArchive(n int) *tarball.Archive {
	a := &tarball.Archive{}
	for i := range benchFiles {
		a.Files = append(a.Files, tarball.File{Path: fmt.Sprintf("lib/part-%d/file-%d.js", i/benchPerDir, i), Mode: 0o644, Data: fmt.Appendf(nil, "// %d %d\n", n, i)})
	}
	a.Files[0].Path = "package.json"
	return a
}

var benchRun atomic.Int64

func benchDir() string {
	dir := filepath.Join(scratch(), fmt.Sprint("run-", benchRun.Add(1)))
	if err := os.MkdirAll(filepath.Join(dir, "node_modules"), 0o755); err != nil {
		panic(err)
	}
	return dir
}

// cpuTime is what the process has used of the CPU, in user and system mode.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// run measures rounds, wall and CPU time. The latter says more on a machine that does other things as well.
func run(b *testing.B, round func(workers int)) {
	for _, workers := range workerCounts {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			before := cpuTime()
			for b.Loop() {
				round(workers)
			}
			b.ReportMetric(float64((cpuTime()-before).Milliseconds())/float64(b.N), "cpu-ms/op")
		})
	}
}

// eachPackage calls place for every package, from a number of goroutines.
func eachPackage(b *testing.B, workers int, place func(i int) error) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= benchPackages {
					return
				}
				if err := place(i); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
}

var workerCounts = []int{1, 2, 4}

// BenchmarkPlace puts all packages into a fresh node_modules; an operation is the whole tree.
func BenchmarkPlace(b *testing.B) {
	_, packages := benchStore()
	run(b, func(workers int) {
		tree, err := Open(benchDir(), TreeOptions{})
		if err != nil {
			b.Fatal(err)
		}
		eachPackage(b, workers, func(i int) error {
			return tree.Place(packages[i], fmt.Sprint("node_modules/package-", i), Options{})
		})
		tree.Close()
	})
}

// BenchmarkGetAndPlace is BenchmarkPlace with the index of each package read first, as a warm install does.
func BenchmarkGetAndPlace(b *testing.B) {
	s, packages := benchStore()
	run(b, func(workers int) {
		tree, err := Open(benchDir(), TreeOptions{})
		if err != nil {
			b.Fatal(err)
		}
		eachPackage(b, workers, func(i int) error {
			pkg, err := s.Get(packages[i].Key)
			if err != nil {
				return err
			}
			return tree.Place(pkg, fmt.Sprint("node_modules/package-", i), Options{})
		})
		tree.Close()
	})
}

// BenchmarkFloor makes the same folders and links in place, with nothing else around them.
func BenchmarkFloor(b *testing.B) {
	_, packages := benchStore()
	run(b, func(workers int) {
		root, err := dirfd.Open(filepath.Join(benchDir(), "node_modules"))
		if err != nil {
			b.Fatal(err)
		}
		eachPackage(b, workers, func(i int) error {
			source, err := packages[i].Open()
			if err != nil {
				return err
			}
			defer source.Close()
			name := fmt.Sprint("package-", i)
			if err := root.Mkdir(name, 0o777); err != nil {
				return err
			}
			dir, err := root.Sub(name)
			if err != nil {
				return err
			}
			defer dir.Close()
			for _, folder := range packages[i].Folders {
				if err := dir.Mkdir(folder, 0o777); err != nil {
					return err
				}
			}
			for _, f := range packages[i].Files {
				if err := source.Link(f.Path, dir, f.Path); err != nil {
					return err
				}
			}
			return nil
		})
		root.Close()
	})
}
