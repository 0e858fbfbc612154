package manifest

import (
	"os"
	"testing"

	"weft/internal/jsonval"
)

// TestNormalizeBin goes through rows recorded from npm-normalize-package-bin.
func TestNormalizeBin(t *testing.T) {
	data, err := os.ReadFile("testdata/normalize-package-bin.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonval.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := doc.Get("rows")
	if rows.Len() < 20 {
		t.Fatalf("only %d rows", rows.Len())
	}
	for _, row := range rows.Elems() {
		args, _ := row.Get("args")
		result, _ := row.Get("result")
		want, _ := result.Get("bin")
		m, err := FromValue(args.Elems()[0])
		if err != nil {
			t.Fatal(err)
		}
		got := jsonval.Value{}
		if len(m.Bin) > 0 {
			got = m.Bin.Value()
		}
		if !got.Equal(want) {
			t.Errorf("%s:\n got %s\nwant %s", jsonval.AppendJSON(nil, args, "", ""),
				jsonval.AppendJSON(nil, got, "", ""), jsonval.AppendJSON(nil, want, "", ""))
		}
	}
}
