package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"math"
)

// Limits on what a file may hold.
const (
	BytesMax      = 64 << 20
	BenchmarksMax = 10_000
	ValuesMax     = 1_000_000 // over all benchmarks of a file
)

// ErrFormat means that a file is neither of the formats that Parse knows, or
// not a sound one; the error around it says where.
var ErrFormat = errors.New("foreign: not a file of measurements")

// File is what one file holds.
type File struct {
	Tool       string // "hyperfine" or "go test -bench"
	Benchmarks []Benchmark
	// Settings are key: value lines that came with the measurements.
	Settings []Setting
}

// Setting is one of them, such as goos: linux.
type Setting struct{ Name, Value string }

// Benchmark is one command or function with its measured values, in the order
// in which they were measured.
type Benchmark struct {
	Name   string
	Values []Sample
}

// Sample is one run.
type Sample struct {
	Failed bool
	Values map[string]float64 // by metric
}

// Parse reads a file of either format. It fails with ErrFormat.
func Parse(data []byte) (*File, error) {
	if len(data) > BytesMax {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrFormat, BytesMax)
	}
	if text := bytes.TrimSpace(data); len(text) > 0 && text[0] == '{' {
		return Hyperfine(data)
	}
	return GoBench(data)
}

func finite(v float64) bool { return !math.IsNaN(v) && math.Abs(v) <= 1e60 }
