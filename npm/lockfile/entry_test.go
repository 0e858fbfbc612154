package lockfile

import (
	"os"
	"testing"

	"weft/internal/jsonval"
	"weft/npm/manifest"
)

// TestEntryRows compares entries with those that npm makes of the same manifests; the rows are made by
// the script beside them.
func TestEntryRows(t *testing.T) {
	data, err := os.ReadFile("../manifest/testdata/rows.json")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := jsonval.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows.Elems() {
		text := func(key string) string {
			v, _ := row.Get(key)
			s, _ := v.Str()
			return s
		}
		m, err := manifest.Parse([]byte(text("in")))
		if err != nil {
			t.Fatal(err)
		}
		e := FromManifest(m, "folder", "http://localhost/x.tgz", "sha512-x")
		if got := string(jsonval.AppendJSON(nil, e.value(), "", "")); got != text("entry") {
			t.Errorf("%s\n got %s\nwant %s", text("in"), got, text("entry"))
		}
	}
	if rows.Len() < 500 {
		t.Errorf("only %d rows", rows.Len())
	}
}
