package house

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Go code of the guide is the body of an example, which the tests compile and run:
//
//	<!-- example: ExampleMap -->
//	```go
//	...
//	```
//
// The test compares the two; with -update it writes the body into the guide.
var goBlock = regexp.MustCompile("(?m)^(?:<!-- example: (\\w+) -->\\n)?```go\\n((?s:.*?))^```$")

// exampleBodies gives the bodies of all examples, one step less indented and
// without what says which output is expected.
func exampleBodies(files []*source) map[string]string {
	bodies := map[string]string{}
	head := regexp.MustCompile(`(?m)^func (Example\w*)\(\) \{\n((?s:.*?))^\}$`)
	for _, s := range files {
		if !s.test() {
			continue
		}
		for _, m := range head.FindAllStringSubmatch(s.text, -1) {
			var body strings.Builder
			for line := range strings.Lines(m[2]) {
				if strings.HasPrefix(line, "\t// Output:") {
					break
				}
				body.WriteString(strings.TrimPrefix(line, "\t"))
			}
			bodies[m[1]] = body.String()
		}
	}
	return bodies
}

// checkGuide returns page with each block of Go replaced by its example, and what
// is wrong with it as it stands.
func checkGuide(name, page string, bodies map[string]string) (want string, found []string) {
	want = goBlock.ReplaceAllStringFunc(page, func(block string) string {
		m := goBlock.FindStringSubmatch(block)
		body, known := bodies[m[1]]
		switch {
		case m[1] == "":
			found = append(found, fmt.Sprintf("%s: a block of Go is no example: %.60q", name, m[2]))
		case !known:
			found = append(found, fmt.Sprintf("%s: there is no %s", name, m[1]))
		case body != m[2]:
			found = append(found, fmt.Sprintf("%s: the block is not what %s does: -update writes it", name, m[1]))
			return "<!-- example: " + m[1] + " -->\n```go\n" + body + "```"
		}
		return block
	})
	return want, found
}

func TestGuide(t *testing.T) {
	r := theRepo(t)
	bodies := exampleBodies(r.gos)
	var found []string
	for _, name := range r.files {
		if !strings.HasPrefix(name, "docs/guide/") || !strings.HasSuffix(name, ".md") {
			continue
		}
		path := filepath.Join(r.top, filepath.FromSlash(name))
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, wrong := checkGuide(name, string(page), bodies)
		if *update && want != string(page) {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			_, wrong = checkGuide(name, want, bodies)
		}
		found = append(found, wrong...)
	}
	complain(t, found)
}

func TestCheckGuideFinds(t *testing.T) {
	s := snippet(t, "a/a_test.go", "package a\n\nfunc ExampleA() {\n\tif true {\n\t\tb()\n\t}\n\t// Output: x\n}\n")
	bodies := exampleBodies([]*source{s})
	body := "if true {\n\tb()\n}\n"
	if bodies["ExampleA"] != body {
		t.Fatalf("bodies %q", bodies)
	}
	page := func(mark, code string) string { return "text\n\n" + mark + "```go\n" + code + "```\n\nmore\n" }
	good := page("<!-- example: ExampleA -->\n", body)
	if _, found := checkGuide("p", good, bodies); found != nil {
		t.Errorf("as it should be: %q", found)
	}
	for _, bad := range []string{page("", body), page("<!-- example: ExampleB -->\n", body), page("<!-- example: ExampleA -->\n", "c()\n")} {
		want, found := checkGuide("p", bad, bodies)
		if len(found) != 1 || (want == good) != strings.Contains(bad, "c()") {
			t.Errorf("%q: %q, %q", bad, found, want)
		}
	}
}
