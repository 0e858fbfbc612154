package run

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"
)

// counters are hardware counters of this thread's future children. They start
// disabled here and are enabled in a child when it calls exec, so that the
// launcher itself is not counted; what a child counted is added when it ends
// (perf_event_open(2): inherit, enable_on_exec).
type counters struct {
	files map[string]int
}

var hardware = []struct {
	column string
	config uint64
}{{"instructions", unix.PERF_COUNT_HW_INSTRUCTIONS}, {"cycles", unix.PERF_COUNT_HW_CPU_CYCLES}}

func openCounters(wanted bool, o *Outcome) counters {
	c := counters{files: map[string]int{}}
	if !wanted {
		return c
	}
	for _, h := range hardware {
		attr := unix.PerfEventAttr{
			Type: unix.PERF_TYPE_HARDWARE, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})), Config: h.config,
			Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
			Bits:        unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitEnableOnExec,
		}
		fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
		if err == unix.EACCES || err == unix.EPERM {
			attr.Bits |= unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv
			fd, err = unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
		}
		if err != nil {
			o.Absent[h.column] = "perf_event_open: " + err.Error()
			continue
		}
		c.files[h.column] = fd
	}
	return c
}

// read takes the counts. Where the counter had to share the hardware, they are
// scaled to the whole time.
func (c counters) read(o *Outcome) {
	for column, fd := range c.files {
		var b [24]byte
		n, err := unix.Read(fd, b[:])
		count := float64(binary.NativeEndian.Uint64(b[0:]))
		enabled, running := float64(binary.NativeEndian.Uint64(b[8:])), float64(binary.NativeEndian.Uint64(b[16:]))
		if err != nil || n != len(b) || running == 0 {
			o.Absent[column] = "the counter never ran"
			continue
		}
		o.Values[column] = count * enabled / running
	}
}

func (c counters) close() {
	for _, fd := range c.files {
		unix.Close(fd)
	}
}
