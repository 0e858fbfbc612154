package report

import (
	_ "embed"
	"encoding/json"
	"io"
	"time"

	"weft/lab/analyse"
)

// SchemaName is the version of the document that JSON writes. Fields may be
// added under the same name; a change of meaning gets another.
const SchemaName = "weft.bench/v1"

// Schema is the JSON schema (draft 2020-12) of that document.
//
//go:embed schema.json
var Schema []byte

// Document is a report for programs. All figures are in Result.
type Document struct {
	Schema      string         `json:"schema"`
	Name        string         `json:"name"`
	Started     string         `json:"started,omitempty"` // RFC 3339, UTC
	Baseline    string         `json:"baseline"`
	Repeat      string         `json:"repeat,omitempty"`
	Candidates  []string       `json:"candidates"`
	Arms        []Arm          `json:"arms"`
	Blocks      int            `json:"blocks,omitempty"`
	Seed        string         `json:"seed,omitempty"`
	Interrupted bool           `json:"interrupted"`
	Environment []Entry        `json:"environment"`
	Notes       []Note         `json:"notes"`
	Result      analyse.Result `json:"result"`
}

// Document makes the report for programs.
func (d Data) Document() Document {
	doc := Document{
		Schema: SchemaName, Name: d.title(), Baseline: d.Baseline, Repeat: d.Repeat,
		Candidates: some(d.Candidates), Arms: some(d.Arms), Blocks: d.Blocks, Seed: d.Seed,
		Interrupted: d.Interrupted, Environment: some(d.Environment), Notes: some(d.Notes), Result: d.Result,
	}
	if !d.Started.IsZero() {
		doc.Started = d.Started.UTC().Format(time.RFC3339)
	}
	doc.Result.Series = make([]analyse.Series, len(d.Result.Series))
	for i, s := range d.Result.Series {
		s.Comparisons, s.Noise, s.Checks = some(s.Comparisons), some(s.Noise), some(s.Checks)
		s.Summaries, s.Warnings = some(s.Summaries), some(s.Warnings)
		doc.Result.Series[i] = s
	}
	return doc
}

// some turns no list into an empty one, so that programs always find a list.
func some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// JSON writes the report of d as one indented document. It fails only where w
// does.
func JSON(w io.Writer, d Data) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(d.Document())
}
