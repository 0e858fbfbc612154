package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// rawFile receives one row a run, as it ends, so that an interrupted
// measurement keeps what it had.
type rawFile struct{ w *csv.Writer }

func newRawFile(w io.Writer) (*rawFile, error) {
	f := &rawFile{csv.NewWriter(w)}
	return f, f.put("round", "order", "tool", "phase", "wall_s", "user_s", "sys_s", "max_rss_kib",
		"voluntary_switches", "involuntary_switches", "minor_faults", "major_faults",
		"requests", "sent_bytes", "exit", "failure")
}

func (f *rawFile) add(s sample) error {
	seconds := func(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }
	return f.put(strconv.Itoa(s.Round), strconv.Itoa(s.Order), s.Tool, string(s.Phase),
		seconds(s.WallSec), seconds(s.UserSec), seconds(s.SysSec), fmt.Sprint(s.MaxRSSKiB),
		fmt.Sprint(s.Voluntary), fmt.Sprint(s.Involuntary), fmt.Sprint(s.MinorFaults), fmt.Sprint(s.MajorFaults),
		fmt.Sprint(s.Requests), fmt.Sprint(s.Sent), strconv.Itoa(s.Exit), s.Failure)
}

func (f *rawFile) put(row ...string) error {
	if err := f.w.Write(row); err != nil {
		return err
	}
	f.w.Flush()
	return f.w.Error()
}
