package record

// Run is one run. Values are by column; what was not measured is not in the
// map.
type Run struct {
	Series          string // "main", "warmup", "memory" or "confirm-N"
	Block, Position int
	Arm, Workload   string
	Started         int64 // Unix time in nanoseconds
	Values          map[string]float64
	// Exit is the exit code, 128+n where signal n killed the program, or
	// [ExitTimeout].
	Exit int
	// Output is the SHA-256 of stdout in hexadecimal, "" where it was not kept.
	Output string
}

// ExitTimeout is the Exit of a run that was killed at its time limit.
const ExitTimeout = -1

// Failed reports that the program did not exit with 0.
func (r Run) Failed() bool { return r.Exit != 0 }

// Metrics of the lab's own, in the order of their columns.
var Metrics = []string{
	"wall_ns", "user_ns", "sys_ns", "peak_rss_bytes", "tree_rss_bytes", "threads_peak",
	"vol_switches", "invol_switches", "minor_faults", "major_faults", "block_read_bytes", "block_write_bytes",
	"net_rx_bytes", "net_tx_bytes", "instructions", "cycles",
}

// CustomPrefix begins the names of all other metrics.
const CustomPrefix = "m:"

var (
	leading  = []string{"series", "block", "position", "arm", "workload", "started_unix_ns"}
	trailing = []string{"exit_code", "output_sha256"}
)

// Columns are the columns that every runs.csv begins with.
func Columns() []string {
	columns := append([]string(nil), leading...)
	columns = append(columns, Metrics...)
	return append(columns, trailing...)
}
