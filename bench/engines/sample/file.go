package sample

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// columns of the file; those of an engine's line follow the first two.
const columns = "round,engine,workload,parallelism,ops,ns,cpu_ns,maxrss_bytes,threads,checksum"

// Fact is one thing known about where and when samples were taken.
type Fact struct{ Key, Value string }

// Writer keeps samples as they come, so that a run which is cut short leaves
// what it had. Facts may be written at any time: they are comments to a reader
// of CSV.
type Writer struct {
	to      io.Writer
	started bool
	err     error
}

// NewWriter returns a Writer to w. It buffers nothing.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w} }

func (w *Writer) line(text string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.to, text+"\n")
	}
}

// Fact writes "# key: value".
func (w *Writer) Fact(key, value string) error {
	w.line("# " + key + ": " + strings.Join(strings.Fields(value), " "))
	return w.err
}

// Sample writes one row, and the names of the columns before the first.
func (w *Writer) Sample(s Sample) error {
	if !w.started {
		w.started = true
		w.line(columns)
	}
	w.line(strconv.Itoa(s.Round) + "," + s.Engine + "," + strings.Join(s.fields(), ","))
	return w.err
}

// Read gives back what a Writer wrote, facts in their order.
func Read(r io.Reader) (facts []Fact, samples []Sample, err error) {
	var rows strings.Builder
	scan := bufio.NewScanner(r)
	for scan.Scan() {
		comment, isFact := strings.CutPrefix(scan.Text(), "# ")
		if !isFact {
			rows.WriteString(scan.Text() + "\n")
			continue
		}
		key, value, _ := strings.Cut(comment, ": ")
		facts = append(facts, Fact{key, value})
	}
	if err := scan.Err(); err != nil {
		return nil, nil, fmt.Errorf("sample: %w", err)
	}
	records, err := csv.NewReader(strings.NewReader(rows.String())).ReadAll()
	if err != nil {
		return nil, nil, fmt.Errorf("sample: %w", err)
	}
	for i, record := range records {
		if i == 0 {
			if got := strings.Join(record, ","); got != columns {
				return nil, nil, fmt.Errorf("sample: columns %q where %q were expected", got, columns)
			}
			continue
		}
		s, err := parse(record[2:])
		if err != nil {
			return nil, nil, fmt.Errorf("row %d: %w", i, err)
		}
		if s.Round, err = strconv.Atoi(record[0]); err != nil {
			return nil, nil, fmt.Errorf("sample: row %d: %w", i, err)
		}
		s.Engine = record[1]
		samples = append(samples, s)
	}
	return facts, samples, nil
}
