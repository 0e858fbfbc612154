package run

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"weft/lab/record"
)

// pollEvery is the time between two looks at a process tree, at first; the
// longer a run takes, the longer it becomes, so that a curve has at most
// pointsMax points.
const (
	pollEvery = 2 * time.Millisecond
	pointsMax = 4000
)

// poll looks at the descendants of a process until it is stopped, and then
// gives what it saw.
func poll(root int) (stop func() []record.Point) {
	end, done := make(chan struct{}), make(chan []record.Point)
	go func() {
		var points []record.Point
		every := pollEvery
		start := time.Now()
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-end:
				done <- points
				return
			case <-tick.C:
			}
			if p := look(root); p.Threads > 0 {
				p.At = time.Since(start)
				points = append(points, p)
			}
			if len(points) == pointsMax {
				points = thin(points)
				every *= 2
				tick.Reset(every)
			}
		}
	}()
	return func() []record.Point {
		close(end)
		return <-done
	}
}

// thin keeps the larger of every two neighbours, so that no peak is lost.
func thin(points []record.Point) []record.Point {
	half := points[:0]
	for i := 0; i+1 < len(points); i += 2 {
		p, q := points[i], points[i+1]
		q.RSSBytes, q.Threads = max(p.RSSBytes, q.RSSBytes), max(p.Threads, q.Threads)
		half = append(half, q)
	}
	return half
}

// look sums over all descendants.
func look(root int) record.Point {
	var p record.Point
	for queue := children(root); len(queue) > 0; queue = queue[1:] {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", queue[0]))
		if err != nil {
			continue
		}
		// After the name, which ends with the last ")", come the fields from the
		// third on: threads are the 20th, resident pages the 24th (proc(5)).
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) < 22 {
			continue
		}
		threads, _ := strconv.Atoi(fields[17])
		resident, _ := strconv.ParseInt(fields[21], 10, 64)
		p.Threads += threads
		p.RSSBytes += resident * int64(os.Getpagesize())
		queue = append(queue, children(queue[0])...)
	}
	return p
}
