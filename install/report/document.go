package report

import (
	"encoding/json"
	"io"

	"weft/install/scripts"
)

// Schema names the JSON document's form. Members may be added under the same
// name; a change of meaning gets a new one.
const Schema = "weft.install/v1"

type document struct {
	Schema         string           `json:"schema"`
	OK             bool             `json:"ok"`
	ExitCode       int              `json:"exitCode"`
	Added          int              `json:"added"`
	Changed        int              `json:"changed"`
	Removed        int              `json:"removed"`
	Kept           int              `json:"kept"`
	UpToDate       bool             `json:"upToDate"`
	LockOnly       bool             `json:"lockOnly"`
	BytesFetched   int64            `json:"bytesFetched"`
	DurationMs     int64            `json:"durationMs"`
	Target         *documentTarget  `json:"target,omitempty"`
	BlockedScripts []scripts.Note   `json:"blockedScripts"`
	RootScripts    []scripts.Script `json:"rootScripts"`
	Deprecated     []Deprecation    `json:"deprecated"`
	Warnings       []Warning        `json:"warnings"`
	Error          *documentError   `json:"error,omitempty"`
}

type documentTarget struct {
	Node       string   `json:"node"`
	NodeSource string   `json:"nodeSource"`
	OS         string   `json:"os"`
	CPU        string   `json:"cpu"`
	Libc       string   `json:"libc,omitempty"`
	Notes      []string `json:"notes,omitempty"`
}

type documentError struct {
	Code       string   `json:"code"`
	Package    string   `json:"package,omitempty"`
	RequiredBy []string `json:"requiredBy,omitempty"`
	What       string   `json:"what"`
	Why        string   `json:"why,omitempty"`
	Hint       string   `json:"hint,omitempty"`
}

func newDocument(s Summary, p *Problem) document {
	d := document{
		Schema: Schema, OK: p == nil,
		Added: s.Added, Changed: s.Changed, Removed: s.Removed, Kept: s.Kept,
		UpToDate: s.UpToDate, LockOnly: s.LockOnly,
		BytesFetched: s.Bytes, DurationMs: s.Duration.Milliseconds(),
		BlockedScripts: list(s.Blocked), RootScripts: list(s.RootScripts),
		Deprecated: list(s.Deprecated), Warnings: list(s.Warnings),
	}
	if t := s.Target; t.NodeVersion != "" {
		d.Target = &documentTarget{Node: t.NodeVersion, NodeSource: t.NodeSource, OS: t.OS, CPU: t.CPU, Libc: t.Libc, Notes: t.Notes}
	}
	if p != nil {
		d.ExitCode = p.Exit
		d.Error = &documentError{Code: p.Code, Package: p.Package, RequiredBy: p.RequiredBy, What: p.What, Why: p.Why, Hint: p.Hint}
	}
	return d
}

// list is never null in JSON, so that programs may loop over it.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

func writeJSON(w io.Writer, d document) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(d)
}
