package experiment

import (
	"bytes"
	"fmt"
	"io"

	"weft/lab/record"
	"weft/lab/report"
)

// forms are the files that a report is kept in.
var forms = []struct {
	name  string
	write func(io.Writer, report.Data) error
}{
	{"report.txt", report.Terminal{Columns: 120, All: true}.Write},
	{"report.md", report.Markdown},
	{reportFile, report.JSON},
	{"report.html", report.HTML},
}

// Write puts the report into the run directory in all its forms, each file
// whole or not at all, and enters them in the manifest.
func (e *Experiment) Write() error {
	for _, form := range forms {
		var b bytes.Buffer
		if err := form.write(&b, e.Data); err != nil {
			return fmt.Errorf("experiment: %s: %w", form.name, err)
		}
		if err := record.AddReport(e.Dir, form.name, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
