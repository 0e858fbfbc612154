// Package sample is what the engines tell the runner and what the runner keeps:
// one line for each measured run of a workload, and a CSV file of them.
package sample

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Sample is one measured run of a workload on an engine.
type Sample struct {
	Round       int    // of the runner, from 1; 0 in an engine's own line
	Engine      string // empty in an engine's own line
	Workload    string
	Parallelism int
	Ops         int           // operations done while the clock ran
	Wall        time.Duration // for all of them
	CPU         time.Duration // processor time of the engine's process meanwhile
	MaxRSS      int64         // bytes, most the process ever held
	Threads     int           // of the process, right after the run
	Checksum    int64         // proves that the work was done
}

// WallPerOp is nanoseconds an operation.
func (s Sample) WallPerOp() float64 { return float64(s.Wall) / float64(s.Ops) }

// CPUPerOp is nanoseconds of processor time an operation.
func (s Sample) CPUPerOp() float64 { return float64(s.CPU) / float64(s.Ops) }

// Line is what an engine prints:
//
//	workload parallelism ops nanoseconds cpu_ns maxrss_bytes threads checksum
func (s Sample) Line() string { return strings.Join(s.fields(), " ") }

func (s Sample) fields() []string {
	return []string{
		s.Workload, strconv.Itoa(s.Parallelism), strconv.Itoa(s.Ops),
		strconv.FormatInt(int64(s.Wall), 10), strconv.FormatInt(int64(s.CPU), 10),
		strconv.FormatInt(s.MaxRSS, 10), strconv.Itoa(s.Threads), strconv.FormatInt(s.Checksum, 10),
	}
}

// Parse reads a Line. It fails for another number of fields, for what is no
// number, and for numbers that no run can have.
func Parse(line string) (Sample, error) { return parse(strings.Fields(line)) }

func parse(fields []string) (Sample, error) {
	if len(fields) != 8 {
		return Sample{}, fmt.Errorf("sample: %d fields where 8 were expected: %q", len(fields), strings.Join(fields, " "))
	}
	var numbers [7]int64
	for i, field := range fields[1:] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return Sample{}, fmt.Errorf("sample: field %d: %w", i+2, err)
		}
		numbers[i] = n
	}
	s := Sample{
		Workload: fields[0], Parallelism: int(numbers[0]), Ops: int(numbers[1]),
		Wall: time.Duration(numbers[2]), CPU: time.Duration(numbers[3]),
		MaxRSS: numbers[4], Threads: int(numbers[5]), Checksum: numbers[6],
	}
	if s.Parallelism < 1 || s.Ops < 1 || s.Wall < 1 || s.CPU < 0 || s.MaxRSS < 0 || s.Threads < 0 {
		return Sample{}, fmt.Errorf("sample: impossible: %q", strings.Join(fields, " "))
	}
	return s, nil
}
