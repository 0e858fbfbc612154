package record

import (
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Limits on a runs.csv.
const (
	CSVBytesMax  = 1 << 30
	RunsMax      = 1_200_000
	CustomMax    = 200 // custom metrics
	lineBytesMax = 64 << 10
	nameBytesMax = 500
)

// ErrFormat means that a file of a run directory is not what it should be; the
// error around it says where.
var ErrFormat = errors.New("record: bad file")

// line writes one row with its line end. Cells never hold line ends, see
// checkRun.
func line(cells []string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(cells) // to memory; never fails
	w.Flush()
	return b.Bytes()
}

// row gives the cells of a run under a header.
func row(header []string, r Run) []string {
	cells := make([]string, len(header))
	for i, column := range header {
		switch column {
		case "series":
			cells[i] = r.Series
		case "block":
			cells[i] = strconv.Itoa(r.Block)
		case "position":
			cells[i] = strconv.Itoa(r.Position)
		case "arm":
			cells[i] = r.Arm
		case "workload":
			cells[i] = r.Workload
		case "started_unix_ns":
			cells[i] = strconv.FormatInt(r.Started, 10)
		case "exit_code":
			cells[i] = strconv.Itoa(r.Exit)
		case "output_sha256":
			cells[i] = r.Output
		default:
			if v, ok := r.Values[column]; ok {
				cells[i] = strconv.FormatFloat(v, 'f', -1, 64)
			}
		}
	}
	return cells
}

// checkRun reports what a row could not hold.
func checkRun(r Run) error {
	for _, text := range []string{r.Series, r.Arm, r.Workload} {
		if text == "" || len(text) > nameBytesMax || strings.ContainsAny(text, "\r\n\x00") {
			return fmt.Errorf("record: %q cannot be a name in a record", text)
		}
	}
	if r.Block < 0 || r.Position < 0 {
		return fmt.Errorf("record: block %d, position %d", r.Block, r.Position)
	}
	if r.Output != "" && !isHash(r.Output) {
		return fmt.Errorf("record: %q is no SHA-256", r.Output)
	}
	for name, v := range r.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("record: %s is %v", name, v)
		}
		if !slices.Contains(Metrics, name) && !isCustom(name) {
			return fmt.Errorf("record: %q is no metric: custom ones begin with %q", name, CustomPrefix)
		}
	}
	return nil
}

func isHash(text string) bool {
	_, err := hex.DecodeString(text)
	return err == nil && len(text) == 64
}

func isCustom(name string) bool {
	return strings.HasPrefix(name, CustomPrefix) && len(name) > len(CustomPrefix) && len(name) <= nameBytesMax && !strings.ContainsAny(name, "\r\n\x00\"")
}

// parseCSV reads a runs.csv. torn is what stands after the last line end.
func parseCSV(data []byte) (header []string, runs []Run, torn []byte, err error) {
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	torn = data[len(whole):]
	number := 0
	for text := range bytes.Lines(whole) {
		number++
		bad := func(format string, a ...any) error {
			return fmt.Errorf("%w: line %d: %s", ErrFormat, number, fmt.Sprintf(format, a...))
		}
		if len(text) > lineBytesMax {
			return nil, nil, nil, bad("longer than %d bytes", lineBytesMax)
		}
		cells, e := csv.NewReader(bytes.NewReader(text)).Read()
		if e != nil {
			return nil, nil, nil, bad("%v", e)
		}
		if header == nil {
			if e := checkHeader(cells); e != nil {
				return nil, nil, nil, bad("%v", e)
			}
			header = cells
			continue
		}
		r, e := parseRow(header, cells)
		if e != nil {
			return nil, nil, nil, bad("%v", e)
		}
		if runs = append(runs, r); len(runs) > RunsMax {
			return nil, nil, nil, bad("more than %d runs", RunsMax)
		}
	}
	return header, runs, torn, nil
}

func checkHeader(header []string) error {
	columns := Columns()
	if len(header) < len(columns) || !slices.Equal(header[:len(columns)], columns) {
		return fmt.Errorf("the columns are not those of a record: %s", strings.Join(columns, ","))
	}
	custom := header[len(columns):]
	if len(custom) > CustomMax {
		return fmt.Errorf("more than %d custom metrics", CustomMax)
	}
	seen := map[string]bool{}
	for _, name := range custom {
		if !isCustom(name) || seen[name] {
			return fmt.Errorf("column %q is there twice or does not begin with %q", name, CustomPrefix)
		}
		seen[name] = true
	}
	return nil
}

func parseRow(header, cells []string) (Run, error) {
	if len(cells) != len(header) {
		return Run{}, fmt.Errorf("%d cells under %d columns", len(cells), len(header))
	}
	r := Run{Series: cells[0], Arm: cells[3], Workload: cells[4], Values: map[string]float64{}}
	var err error
	whole := func(i int) int64 {
		n, e := strconv.ParseInt(cells[i], 10, 64)
		if e != nil && err == nil {
			err = fmt.Errorf("%s is %q, no whole number", header[i], cells[i])
		}
		return n
	}
	r.Block, r.Position, r.Started = int(whole(1)), int(whole(2)), whole(5)
	for i := len(leading); i < len(header); i++ {
		switch {
		case header[i] == "exit_code":
			r.Exit = int(whole(i))
		case header[i] == "output_sha256":
			r.Output = cells[i]
		case cells[i] != "":
			v, e := strconv.ParseFloat(cells[i], 64)
			if e != nil && err == nil {
				err = fmt.Errorf("%s is %q, no number", header[i], cells[i])
			}
			r.Values[header[i]] = v
		}
	}
	if err == nil {
		err = checkRun(r)
	}
	return r, err
}
