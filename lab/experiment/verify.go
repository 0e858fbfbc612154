package experiment

import (
	"errors"
	"os"
	"path/filepath"

	"weft/lab/record"
	"weft/lab/report"
)

// Findings is what Verify found.
type Findings struct {
	Runs        int      // in the record
	Comparisons int      // recomputed
	Wrong       []string // what differs, in words; none is well
}

// Verify compares the files of a run directory with its manifest, computes
// every figure anew from the record, and compares these with report.json. It
// changes nothing. It fails where there is no whole run directory to begin with:
// with record.ErrNoManifest where the experiment did not come to its end.
func Verify(dir string) (*Findings, error) {
	f := &Findings{}
	if err := record.Verify(dir); err != nil {
		var differs *record.ManifestError
		if !errors.As(err, &differs) {
			if _, unreadable := Load(dir); unreadable != nil {
				return nil, unreadable
			}
			return nil, err
		}
		for _, file := range differs.Changed {
			f.Wrong = append(f.Wrong, file+" was changed since it was recorded")
		}
		for _, file := range differs.Missing {
			f.Wrong = append(f.Wrong, file+" is missing")
		}
		for _, file := range differs.Extra {
			f.Wrong = append(f.Wrong, file+" is not in the manifest")
		}
	}
	e, err := Load(dir)
	if err != nil && len(f.Wrong) > 0 {
		// What cannot be read was changed: that is the finding.
		f.Wrong = append(f.Wrong, err.Error())
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	f.Runs = len(e.Data.Runs)
	for _, s := range e.Data.Result.Series {
		f.Comparisons += len(s.Comparisons)
	}
	stored, err := os.ReadFile(filepath.Join(dir, reportFile))
	if err != nil {
		f.Wrong = append(f.Wrong, "there are no stored figures: "+err.Error())
		return f, nil
	}
	different, err := report.Differences(stored, e.Data)
	if err != nil {
		different = []string{err.Error()}
	}
	for _, text := range different {
		f.Wrong = append(f.Wrong, reportFile+": "+text)
	}
	return f, nil
}
