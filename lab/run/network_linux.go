package run

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// isolate moves this thread into a network namespace of its own, with loopback
// up. The thread must end afterwards.
func isolate() error {
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("network: isolated needs a network namespace: %w", err)
	}
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("network: isolated: %w", err)
	}
	defer unix.Close(s)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return fmt.Errorf("network: isolated: %w", err)
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, lo); err != nil {
		return fmt.Errorf("network: isolated: loopback: %w", err)
	}
	return nil
}

// readNetwork reads what went through the namespace of this thread, as
// /proc/net/dev counts it (proc(5)): bytes received are the first column of an
// interface, bytes sent the ninth.
func readNetwork(o *Outcome) {
	data, err := os.ReadFile("/proc/thread-self/net/dev")
	if err != nil {
		o.Absent["net_rx_bytes"], o.Absent["net_tx_bytes"] = err.Error(), err.Error()
		return
	}
	rx, tx := 0.0, 0.0
	for line := range strings.Lines(string(data)) {
		_, counts, ok := strings.Cut(line, ":")
		fields := strings.Fields(counts)
		if !ok || len(fields) < 9 {
			continue
		}
		received, _ := strconv.ParseFloat(fields[0], 64)
		sent, _ := strconv.ParseFloat(fields[8], 64)
		rx, tx = rx+received, tx+sent
	}
	o.Values["net_rx_bytes"], o.Values["net_tx_bytes"] = rx, tx
}
