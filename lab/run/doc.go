// Package run measures programs: it makes the runs of a plan in their order
// and hands each to a sink before the next begins.
//
//	func main() {
//		run.Launcher() // first of all; see below
//		...
//	}
//
//	r := &run.Runner{Sink: dir, Progress: show}
//	err := r.Run(ctx, p, plan.Schedule(p, blocks), done)
//
// # The launcher
//
// On Linux the peak memory that wait4 tells of a child starts at what its
// parent had in memory when it forked, since the child ran in the parent's
// memory until it called exec. A program that takes 2 MB, started by one of 100
// MB, seems to take 100 MB. So programs are started by a launcher: the same
// binary started anew, once for all runs, in which [Launcher] takes over before
// main does anything. Before each start the launcher gives the pages of its own
// code back to the system and resets its peak; about 3 MiB are left, see
// TestPeakIsTheProgramsOwn. They are a floor under peak_rss_bytes, the
// same for all arms.
//
// The launcher is the parent of every orphan of the programs
// (PR_SET_CHILD_SUBREAPER), so that whatever a run leaves behind is found and
// killed before the next begins. When the process that measures dies, however
// it dies, the launcher kills the run in flight and ends.
//
// # What is measured
//
// wall_ns runs on the monotonic clock from just before the fork to the return of
// wait4. user_ns to block_write_bytes are wait4's rusage: of the program and
// of those of its descendants that it waited for; peak_rss_bytes is the largest
// single process among them. instructions and cycles count the whole tree in
// user and kernel mode, or in user mode alone where the kernel allows no more.
// tree_rss_bytes and threads_peak come from polling /proc every few
// milliseconds and so only from memory runs, whose other values are left out.
// net_rx_bytes and net_tx_bytes come from network namespaces with
// network: isolated alone. What cannot be had is absent, and
// [Runner.Absent] says why.
//
// stdin is empty. stdout is hashed; up to [OutputMax] bytes of it are looked
// through for custom metrics. The ends of stdout and stderr of failed runs are
// kept, [TailMax] bytes of each.
//
// On macOS, other Unix systems and Windows the programs are started directly:
// wall, user and system time, exit code, output, and on Unix peak memory.
package run
