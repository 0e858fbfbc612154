package run

import (
	"errors"
	"time"

	"weft/lab/record"
)

// Spec is one start of a program.
type Spec struct {
	Path    string        `json:"path"` // the file to run; not looked up
	Args    []string      `json:"args"` // with the program's name first
	Env     []string      `json:"env"`
	Dir     string        `json:"dir"`     // "" is the current one
	Timeout time.Duration `json:"timeout"` // 0 is none
	// Isolated runs it in a network namespace of its own.
	Isolated bool `json:"isolated,omitempty"`
	// Counters asks for instructions and cycles.
	Counters bool `json:"counters,omitempty"`
	// Polled asks for the memory of the process tree over time.
	Polled bool `json:"polled,omitempty"`
}

// Outcome is what came of a start.
type Outcome struct {
	Values   map[string]float64 `json:"values"` // by column of the record, but for custom metrics
	Exit     int                `json:"exit"`   // 128+n after signal n
	TimedOut bool               `json:"timed_out,omitempty"`
	Canceled bool               `json:"canceled,omitempty"`
	// Left is how many processes outlived the program and were killed.
	Left int `json:"left,omitempty"`
	// Absent says why a column has no value.
	Absent map[string]string `json:"absent,omitempty"`
	// Failed says why the program could not be started.
	Failed string `json:"failed,omitempty"`

	Output Output         `json:"-"`
	Stderr string         `json:"-"` // its end
	Curve  []record.Point `json:"-"`
}

// ErrStart means that a program could not be started; the error around it says
// why.
var ErrStart = errors.New("run: cannot start")

// ErrLauncher means that the launcher died.
var ErrLauncher = errors.New("run: the launcher ended")
