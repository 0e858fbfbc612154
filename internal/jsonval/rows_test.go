package jsonval

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// row is a text and what Node made of it, see testdata/rows.mjs.
type row struct {
	In     string
	Hex    string
	Error  bool
	Out    string
	Indent json.RawMessage
	Pretty string
}

func (r row) data(t *testing.T) []byte {
	if r.Hex == "" {
		return []byte(r.In)
	}
	data, err := hex.DecodeString(r.Hex)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// indent gives a numeric indentation as the spaces it stands for.
func (r row) indent(t *testing.T) string {
	if len(r.Indent) == 0 {
		return ""
	}
	var n int
	if json.Unmarshal(r.Indent, &n) == nil {
		return strings.Repeat(" ", n)
	}
	var s string
	if err := json.Unmarshal(r.Indent, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func nodeRows(t testing.TB) []row {
	data, err := os.ReadFile("testdata/rows.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) < 1000 {
		t.Fatalf("only %d rows", len(rows))
	}
	return rows
}

func TestNodeRows(t *testing.T) {
	for _, r := range nodeRows(t) {
		data := r.data(t)
		v, err := Parse(data)
		if strings.HasPrefix(string(data), "\ufeff") {
			r.Error, r.Out = false, "1" // npm drops the mark before JSON.parse sees the text
		}
		if (err != nil) != r.Error {
			t.Errorf("%q: error %v, Node says %v", data, err, r.Error)
			continue
		}
		if err != nil {
			continue
		}
		if got := string(AppendJSON(nil, v, "", "")); got != r.Out {
			t.Errorf("%q:\n got %s\nwant %s", data, got, r.Out)
		}
		if got := string(AppendJSON(nil, v, r.indent(t), "")); r.Pretty != "" && got != r.Pretty {
			t.Errorf("%q with indent %s:\n got %s\nwant %s", data, r.Indent, got, r.Pretty)
		}
		again, err := Parse(AppendJSON(nil, v, "", ""))
		if err != nil || string(AppendJSON(nil, again, "", "")) != r.Out {
			t.Errorf("%q does not survive a round trip: %v", data, err)
		}
	}
}

// TestScannerRows holds the Scanner to Parse on all documents that are valid.
func TestScannerRows(t *testing.T) {
	for _, r := range nodeRows(t) {
		if r.Error || r.Hex != "" {
			continue
		}
		v, err := ParseString(r.In)
		if err != nil {
			t.Fatal(err)
		}
		s := NewScanner([]byte(r.In))
		if err := checkScan(s, v); err != nil {
			t.Errorf("%q: %v", r.In, err)
		}
		if err := s.End(); err != nil {
			t.Errorf("%q: %v", r.In, err)
		}
		s = NewScanner([]byte(r.In))
		if raw, err := s.Skip(); err != nil || string(raw) != strings.Trim(r.In, " \t\r\n") || s.End() != nil {
			t.Errorf("%q: skipped %q, %v", r.In, raw, err)
		}
	}
}
