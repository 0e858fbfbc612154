package link

import (
	"crypto/sha512"
	"encoding/base64"
	"os"
	"sync"
	"testing"
)

// scratch is a folder for what tests and benchmarks leave until the very end.
var scratch = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "weft-link-")
	if err != nil {
		panic(err)
	}
	scratchMade = dir
	return dir
})

var scratchMade string

func TestMain(m *testing.M) {
	code := m.Run()
	if scratchMade != "" {
		os.RemoveAll(scratchMade)
	}
	os.Exit(code)
}

// testKey makes a store key of any text.
func testKey(text string) string {
	sum := sha512.Sum512([]byte(text))
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}
