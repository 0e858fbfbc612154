package task

import (
	"bytes"
	"runtime"
	"time"
)

// bubbled reports whether the caller is inside a testing/synctest bubble. Waiting
// in a system call would look like work there and keep the bubble's time from
// advancing, and a runtime of outside cannot serve it.
//
// A bubble's clock starts with the year 2000, which costs little to see; the head
// of the goroutine's trace then tells it from a machine whose clock is wrong. A
// bubble that slept for twenty years is not recognised.
func bubbled() bool {
	if time.Now().Unix() >= bubbleEnds {
		return false
	}
	var head [128]byte
	line, _, _ := bytes.Cut(head[:runtime.Stack(head[:], false)], []byte("\n"))
	return bytes.Contains(line, []byte("synctest bubble"))
}

const bubbleEnds = 1577836800 // 2020-01-01
