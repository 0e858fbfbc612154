package run

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// children lists the children of all threads of a process.
func children(pid int) []int {
	var all []int
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil
	}
	for _, task := range tasks {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		if err != nil {
			continue
		}
		for _, text := range strings.Fields(string(data)) {
			if child, err := strconv.Atoi(text); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

// reap kills and collects whatever a run left behind: first its process group,
// then all that the launcher became the parent of. It gives their number.
func reap(group int) int {
	unix.Kill(-group, unix.SIGKILL) // fails where nobody is left
	left := 0
	for {
		for _, child := range children(os.Getpid()) {
			unix.Kill(child, unix.SIGKILL)
		}
		pid, err := unix.Wait4(-1, nil, 0, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return left
		case pid > 0:
			left++
		}
	}
}
