package inflate

import (
	"bytes"
	"crypto/sha1"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// testdata/node.txt holds what node's zlib said about streams that are made here anew each time, by name: "ok" with
// length and hash, or its error.
const nodeVerdicts = "testdata/node.txt"

var (
	node   = flag.String("node", "", "path of node, to ask it again and compare with its recorded verdicts")
	update = flag.Bool("update", false, "with -node, record its verdicts")
)

// nodeScript reads a list of inputs in base64 and prints what npm's way to inflate makes of each.
const nodeScript = `
const zlib = require('zlib'), crypto = require('crypto')
const verdicts = JSON.parse(require('fs').readFileSync(0)).map(data => {
  try {
    const out = zlib.gunzipSync(Buffer.from(data, 'base64'), { maxOutputLength: 4 << 20 })
    return 'ok ' + out.length + ' ' + crypto.createHash('sha1').update(out).digest('hex')
  } catch (e) {
    return e.message
  }
})
process.stdout.write(JSON.stringify(verdicts))
`

// nodeStreams are those of the other tests, and more that are made from fixed seeds. Compressors of the standard library
// have no part in them, since their output changes from release to release.
func nodeStreams() []stream {
	all := append(bodies(), framings()...)
	for seed := range uint64(1200) {
		rng := rand.New(rand.NewPCG(seed, 4))
		all = append(all, stream{fmt.Sprint("random/", seed), framed(randomDynamic(rng))})
	}
	for _, s := range append(bodies(), framings()...) {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(seed, uint64(len(s.name))))
			body := bytes.Clone(s.data)
			for range 1 + rng.IntN(3) {
				body[rng.IntN(min(len(body), 100))] ^= 1 << rng.IntN(8)
			}
			if seed%2 == 0 {
				body = framed(body[min(10, len(body)):])
			}
			all = append(all, stream{fmt.Sprint(s.name, "/flipped-", seed), body})
		}
	}
	return all
}

func TestNode(t *testing.T) {
	all := nodeStreams()
	var verdicts []string
	recorded, err := os.ReadFile(nodeVerdicts)
	if err != nil && !*update {
		t.Fatal(err)
	}
	if *node != "" {
		verdicts = askNode(t, all)
		var text bytes.Buffer
		for i, s := range all {
			fmt.Fprintf(&text, "%s\t%s\n", s.name, verdicts[i])
		}
		if *update {
			if err := os.WriteFile(nodeVerdicts, text.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			recorded = text.Bytes()
		}
		if !bytes.Equal(recorded, text.Bytes()) {
			t.Error("this node has other verdicts than those recorded")
		}
	}
	lines := strings.Split(strings.TrimSuffix(string(recorded), "\n"), "\n")
	if len(lines) != len(all) {
		t.Fatalf("%d verdicts for %d streams", len(lines), len(all))
	}
	valid := 0
	for i, s := range all {
		name, verdict, _ := strings.Cut(lines[i], "\t")
		out, rest, err := Gunzip(nil, s.data, testLimit)
		if name != s.name {
			t.Fatalf("verdict of %s where that of %s should be", name, s.name)
		}
		if err == nil {
			valid++
			if got := fmt.Sprintf("ok %d %x", len(out), sha1.Sum(out)); got != verdict {
				t.Errorf("%s: %s and %d bytes more, node says %s", name, got, len(rest), verdict)
			}
		} else if !meant(err, verdict) {
			t.Errorf("%s: %v, node says %s", name, err, verdict)
		}
	}
	t.Logf("%d valid, %d not", valid, len(all)-valid)
}

// meant is whether node's words stand for err. Node looks at the two bytes of the magic number together.
func meant(err error, words string) bool {
	switch {
	case words == "unexpected end of file":
		return errors.Is(err, ErrTruncated) || errors.Is(err, ErrHeader)
	case strings.HasPrefix(words, "incorrect header"), strings.Contains(words, "header flags"), strings.Contains(words, "header crc"), strings.Contains(words, "compression method"):
		return errors.Is(err, ErrHeader)
	case words == "incorrect data check", words == "incorrect length check":
		return errors.Is(err, ErrChecksum)
	case strings.HasPrefix(words, "invalid"), strings.HasPrefix(words, "too many"):
		return errors.Is(err, ErrCorrupt)
	case strings.HasPrefix(words, "Cannot create a Buffer larger"):
		return errors.Is(err, ErrTooLarge)
	}
	return false
}

func askNode(t *testing.T, all []stream) (verdicts []string) {
	var inputs [][]byte
	for _, s := range all {
		inputs = append(inputs, s.data)
	}
	question, err := json.Marshal(inputs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(*node, "-e", nodeScript)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(question), os.Stderr
	answer, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(answer, &verdicts); err != nil || len(verdicts) != len(all) {
		t.Fatalf("%d verdicts for %d streams, %v", len(verdicts), len(all), err)
	}
	return verdicts
}
