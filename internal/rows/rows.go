// Package rows reads the facts that tests are held to: files of one JSON text a
// line, recorded from other programs' answers.
package rows

import (
	"bufio"
	"os"
	"testing"
)

// lineMax bounds a line: the longest recorded ones are some hundred kilobytes.
const lineMax = 1 << 20

// Each calls f with every line of a file, and fails the test if it cannot be read
// or holds none. Where the environment variable elsewhere is set it names another
// file to read: rows that are too many to commit. It blocks on the disk; the line
// must not be kept.
func Each(t testing.TB, path, elsewhere string, f func(line []byte)) {
	t.Helper()
	if other := os.Getenv(elsewhere); other != "" {
		path = other
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, lineMax)
	n := 0
	for ; lines.Scan(); n++ {
		f(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		t.Fatalf("%s holds no rows", path)
	}
}
