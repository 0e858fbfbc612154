package record

import "time"

// EnvSchema names the form of env.json.
const EnvSchema = "weft-env/v1"

// Env is the surroundings of an experiment. Zero values are unknown.
type Env struct {
	Schema string `json:"schema"`

	Started     time.Time   `json:"started"`
	Finished    time.Time   `json:"finished,omitzero"`
	Resumed     []time.Time `json:"resumed,omitempty"`
	Interrupted bool        `json:"interrupted,omitempty"` // not all planned runs were made
	Seed        uint64      `json:"seed"`
	Blocks      int         `json:"blocks"` // as planned or decided; 0 while that is open
	BlocksWhy   string      `json:"blocks_why,omitempty"`
	PlanSHA256  string      `json:"plan_sha256"`

	OS          string  `json:"os"`
	Arch        string  `json:"arch"`
	Kernel      string  `json:"kernel,omitempty"`
	CPU         string  `json:"cpu,omitempty"`
	CPUs        int     `json:"cpus"` // that this process may use
	Governor    string  `json:"governor,omitempty"`
	ClockSource string  `json:"clock_source,omitempty"`
	MemoryBytes int64   `json:"memory_bytes,omitempty"`
	Container   string  `json:"container,omitempty"`
	CgroupCPUs  float64 `json:"cgroup_cpus,omitempty"`         // limit in CPUs
	CgroupBytes int64   `json:"cgroup_memory_bytes,omitempty"` // limit

	LoadBefore *Load `json:"load_before,omitempty"`
	LoadAfter  *Load `json:"load_after,omitempty"`

	Go   string `json:"go"`
	Weft string `json:"weft,omitempty"`
	Git  *Git   `json:"git,omitempty"` // of the working directory

	Binaries []Binary `json:"binaries,omitempty"`
	// Absent says why a metric has no values, by its column.
	Absent map[string]string `json:"absent,omitempty"`
	Notes  []Note            `json:"notes,omitempty"`
}

// Load is how busy a machine is.
type Load struct {
	Averages  [3]float64 `json:"averages"` // over 1, 5 and 15 minutes
	SwapBytes int64      `json:"swap_used_bytes"`
	MHz       float64    `json:"mhz,omitempty"` // mean over the CPUs
}

// Git is the state of a repository.
type Git struct {
	Revision string `json:"revision"`
	Branch   string `json:"branch,omitempty"`
	Changed  bool   `json:"changed"` // tracked files differ from the revision
}

// Binary is a program that was run.
type Binary struct {
	Arm    string `json:"arm"`
	Path   string `json:"path"`
	Before string `json:"sha256_before"`
	After  string `json:"sha256_after,omitempty"`
}

// Note is something noticed while measuring, in plain words. Kind is one word:
// load, swap, frequency, binary, failure, left, torn, machine.
type Note struct {
	Kind string    `json:"kind"`
	Text string    `json:"text"`
	At   time.Time `json:"at,omitzero"`
}
