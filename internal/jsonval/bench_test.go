package jsonval

import (
	"fmt"
	"strings"
	"testing"
)

// sampleLock makes a document of a lockfile's shape.
func sampleLock(entries int) []byte {
	var b strings.Builder
	b.WriteString("{\n  \"name\": \"sample\",\n  \"lockfileVersion\": 3,\n  \"packages\": {\n")
	for i := range entries {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `    "node_modules/package-%d": {
      "version": "1.2.%d",
      "resolved": "https://registry.example/package-%d/-/package-%d-1.2.%d.tgz",
      "integrity": "sha512-kLdO3cWbTLT0kg31iV0rT5M2UDP2XPqYVbqTZpNRCVhR5hU3cAkCLhxYk+UKBWLCcDF0SYGSs0XmLmbFM8dPGA==",
      "dev": true,
      "license": "MIT",
      "dependencies": {
        "left-pad": "^1.3.%d",
        "@scope/thing": "~2.0.0"
      },
      "engines": {
        "node": ">=18"
      }
    }`, i, i, i, i, i, i)
	}
	b.WriteString("\n  }\n}\n")
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	doc := sampleLock(3000)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(doc); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	doc := sampleLock(3000)
	v, err := Parse(doc)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(doc)))
	var out []byte
	for b.Loop() {
		out = AppendJSON(out[:0], v, "  ", "\n")
	}
}

func BenchmarkSkip(b *testing.B) {
	doc := sampleLock(3000)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if _, err := NewScanner(doc).Skip(); err != nil {
			b.Fatal(err)
		}
	}
}
