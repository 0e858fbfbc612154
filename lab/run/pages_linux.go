package run

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// pages are a mapping of this process.
type pages struct{ from, to uintptr }

// ownPages lists the mappings of files that cannot be written and of which no
// page was ever changed: the program's code and constants. The system can read
// them again from the file. A page that the loader changed before it made it
// read-only (relro) is counted as Anonymous in smaps (proc(5)).
func ownPages() []pages {
	data, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return nil
	}
	var all []pages
	var now pages // 0 if it is not to be dropped
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		switch {
		case len(fields) >= 5 && strings.Contains(fields[0], "-"):
			now = pages{}
			if len(fields) >= 6 && strings.HasPrefix(fields[5], "/") && !strings.Contains(fields[1], "w") {
				now = parsePages(fields[0])
			}
		case len(fields) == 3 && fields[0] == "Anonymous:" && fields[1] == "0" && now.to > 0:
			all = append(all, now)
		}
	}
	return all
}

func parsePages(text string) pages {
	low, high, _ := strings.Cut(text, "-")
	from, e1 := strconv.ParseUint(low, 16, 64)
	to, e2 := strconv.ParseUint(high, 16, 64)
	if e1 != nil || e2 != nil {
		return pages{}
	}
	return pages{uintptr(from), uintptr(to)}
}

// dropPages takes the pages out of this process's memory and makes its peak
// what is left (proc(5), clear_refs). Where that fails, peaks of children are a
// little too high.
func dropPages(all []pages) {
	for _, p := range all {
		unix.Syscall(unix.SYS_MADVISE, p.from, p.to-p.from, unix.MADV_DONTNEED)
	}
	if f, err := unix.Open("/proc/self/clear_refs", unix.O_WRONLY|unix.O_CLOEXEC, 0); err == nil {
		unix.Write(f, []byte("5"))
		unix.Close(f)
	}
}
