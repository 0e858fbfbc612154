package house

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Limits in lines.
const (
	fileLimit     = 1000 // fails
	fileSoftLimit = 500  // is listed by -v
	funcLimit     = 70   // fails, unless the ratchet knows it
	mainLimit     = 50   // cmd/weft/main.go
)

// ratchetFile lists the functions that are longer than funcLimit, each with
// its length. They may shrink and go; none may grow or join.
const ratchetFile = "testdata/long-functions.txt"

var update = flag.Bool("update", false, "rewrite the list of long functions")

func lineCount(text string) int {
	return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
}

// longFunctions gives the functions of a file that are over the limit, as
// "path name" with their lengths. Tests are exempt: their length is tables.
func longFunctions(fset *token.FileSet, s *source) map[string]int {
	long := map[string]int{}
	if s.test() || s.generated() {
		return long
	}
	for _, decl := range s.ast.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Body == nil {
			continue
		}
		n := fset.Position(d.End()).Line - fset.Position(d.Pos()).Line + 1
		if n <= funcLimit {
			continue
		}
		name := d.Name.Name
		if d.Recv != nil {
			name = receiver(d.Recv.List[0].Type) + "." + name
		}
		long[s.path+" "+name] = n
	}
	return long
}

// judge holds the functions that are long now against those allowed.
func judge(now, allowed map[string]int) []string {
	var found []string
	for name, n := range now {
		switch was, known := allowed[name]; {
		case !known:
			found = append(found, fmt.Sprintf("%s has %d lines, over %d", name, n, funcLimit))
		case n > was:
			found = append(found, fmt.Sprintf("%s has grown from %d to %d lines", name, was, n))
		case n < was:
			found = append(found, fmt.Sprintf("%s has shrunk from %d to %d lines: -update keeps it there", name, was, n))
		}
	}
	for name := range allowed {
		if now[name] == 0 {
			found = append(found, fmt.Sprintf("%s is not long any more: -update takes it off the list", name))
		}
	}
	return found
}

func readRatchet(text string) (map[string]int, error) {
	allowed := map[string]int{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		i := strings.LastIndex(line, " ")
		n, err := strconv.Atoi(line[i+1:])
		if err != nil || i < 0 {
			return nil, fmt.Errorf("%s: %q", ratchetFile, line)
		}
		allowed[line[:i]] = n
	}
	return allowed, nil
}

func writeRatchet(now map[string]int) error {
	lines := []string{fmt.Sprintf("# Functions over %d lines; see size_test.go. This list may only become shorter.", funcLimit)}
	var names []string
	for name := range now {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		lines = append(lines, name+" "+strconv.Itoa(now[name]))
	}
	return os.WriteFile(ratchetFile, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

func TestFileLength(t *testing.T) {
	for _, s := range theRepo(t).gos {
		n := lineCount(s.text)
		switch {
		case s.generated():
		case n > fileLimit:
			t.Errorf("%s has %d lines, over %d", s.path, n, fileLimit)
		case n > fileSoftLimit:
			t.Logf("%s has %d lines; is it still one mechanism?", s.path, n)
		}
		if s.path == "cmd/weft/main.go" && n > mainLimit {
			t.Errorf("%s has %d lines, over %d", s.path, n, mainLimit)
		}
	}
}

func TestFunctionLength(t *testing.T) {
	r := theRepo(t)
	now := map[string]int{}
	for _, s := range r.gos {
		for name, n := range longFunctions(r.fset, s) {
			now[name] = n
		}
	}
	if *update {
		if err := writeRatchet(now); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(ratchetFile)
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := readRatchet(string(data))
	if err != nil {
		t.Fatal(err)
	}
	complain(t, judge(now, allowed))
}

func TestLongFunctionsFinds(t *testing.T) {
	text := "package a\nfunc short() {}\nfunc (x *T[K]) Long() {" + strings.Repeat("\n", funcLimit) + "}\n"
	fset := token.NewFileSet()
	s, err := parseSource(fset, "a/a.go", text)
	if err != nil {
		t.Fatal(err)
	}
	now := longFunctions(fset, s)
	if len(now) != 1 || now["a/a.go T.Long"] != funcLimit+1 {
		t.Errorf("got %v", now)
	}
	if got := judge(now, map[string]int{"a/a.go T.Long": funcLimit + 1}); got != nil {
		t.Errorf("as allowed: %q", got)
	}
	for _, n := range []int{funcLimit, funcLimit + 2} {
		if got := judge(now, map[string]int{"a/a.go T.Long": n}); len(got) != 1 {
			t.Errorf("allowed %d: %q", n, got)
		}
	}
	if got := judge(now, map[string]int{"b.go gone": 99}); len(got) != 2 {
		t.Errorf("one new, one gone: %q", got)
	}
	if _, err := readRatchet("a/a.go T.Long"); err == nil {
		t.Error("a line without a length was read")
	}
}
