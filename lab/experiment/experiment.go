package experiment

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"weft/lab/analyse"
	"weft/lab/compare"
	"weft/lab/plan"
	"weft/lab/record"
	"weft/lab/report"
)

// Experiment is a run directory with what it shows.
type Experiment struct {
	Dir  string
	Plan *plan.Plan
	Env  *record.Env
	Data report.Data
}

// reportFile is the report that verify compares with.
const reportFile = "report.json"

// Load reads a run directory and analyses it. It changes nothing there. It
// fails with the errors of record.Open, and with analyse.ErrInput where the
// recorded plan asks for what makes no sense.
func Load(dir string) (*Experiment, error) {
	r, err := record.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("%s is no run directory: %w", dir, err)
	}
	e := &Experiment{Dir: dir, Plan: r.Plan, Env: &r.Env}
	runs := converted(r.Runs)
	in := Input(r.Plan, runs)
	if err := in.Validate(); err != nil {
		return nil, err
	}
	e.Data = report.Data{
		Name: r.Plan.Name, Started: r.Env.Started, Baseline: r.Plan.Baseline(), Repeat: in.Repeat, Candidates: r.Plan.Candidates(),
		Arms: arms(r.Plan, &r.Env), Blocks: r.Env.Blocks, Seed: strconv.FormatUint(r.Plan.Seed, 10), Interrupted: r.Env.Interrupted,
		Environment: surroundings(&r.Env), Runs: runs, Result: analyse.Analyse(in),
	}
	for _, n := range r.Env.Notes {
		e.Data.Notes = append(e.Data.Notes, report.Note{Kind: n.Kind, Text: n.Text})
	}
	curves, err := record.Curves(dir)
	if err != nil {
		return nil, err
	}
	for _, c := range curves {
		e.Data.Curves = append(e.Data.Curves, curve(c))
	}
	e.Data.CSV, err = rawText(dir, r.Plan)
	return e, err
}

// rawText is the record as it is: the main series, then the confirmations. A
// file's header is left out where it says what the one before said.
func rawText(dir string, p *plan.Plan) (string, error) {
	files := []string{record.RunsFile}
	for i := 1; i <= p.Confirmations; i++ {
		files = append(files, filepath.Join(plan.ConfirmationName(i), record.RunsFile))
	}
	var all strings.Builder
	header := ""
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("experiment: %w", err)
		}
		text := string(data)
		if first, rest, ok := strings.Cut(text, "\n"); ok && first == header {
			text = rest
		} else {
			header = first
		}
		all.WriteString(text)
	}
	return all.String(), nil
}

func curve(c record.Curve) report.Curve {
	shown := report.Curve{Arm: c.Arm, Workload: c.Workload}
	for _, p := range c.Points {
		shown.Points = append(shown.Points, report.CurvePoint{At: p.At, Bytes: float64(p.RSSBytes)})
	}
	return shown
}

// converted are recorded runs as the analysis takes them.
func converted(recorded []record.Run) []analyse.Run {
	runs := make([]analyse.Run, len(recorded))
	for i, r := range recorded {
		runs[i] = analyse.Run{
			Series: r.Series, Workload: r.Workload, Arm: r.Arm, Block: r.Block, Position: r.Position,
			Failed: r.Failed(), Values: r.Values,
		}
	}
	return runs
}

// Point is the experiment in a history.
func (e *Experiment) Point() report.Point {
	return report.Point{Name: filepath.Base(filepath.Clean(e.Dir)), Started: e.Data.Started, Baseline: e.Data.Baseline, Result: e.Data.Result}
}

// Side is the experiment in a comparison. What makes two plans the same is the
// plan with its seed, and as many blocks.
func (e *Experiment) Side(name string) compare.Side {
	return compare.Side{
		Name: name, Plan: fmt.Sprintf("%s, %d blocks", e.Env.PlanSHA256, e.Env.Blocks), Repeat: e.Data.Repeat,
		Metrics: Input(e.Plan, e.Data.Runs).Metrics, Runs: e.Data.Runs,
	}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
