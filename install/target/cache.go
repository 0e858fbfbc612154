package target

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"weft/npm/semver"
)

// answerCache remembers what each node said of itself: one small file per node
// path, named by the path's hash, of the lines
//
//	path, size in bytes, modification time in ns, version
//
// Reads and writes may race between processes: a file appears whole by rename,
// and anything that does not match exactly is no answer. A cache that cannot
// be written costs the next run one start of node, so failures are silent.
type answerCache struct{ dir string }

// answerLimit bounds what is read back; a path is at most 4 KiB on Linux.
const answerLimit = 8 << 10

func (c answerCache) file(node nodeFile) string {
	sum := sha256.Sum256([]byte(node.path))
	return filepath.Join(c.dir, "node", hex.EncodeToString(sum[:12]))
}

func (c answerCache) head(node nodeFile) string {
	return node.path + "\n" + strconv.FormatInt(node.size, 10) + "\n" +
		strconv.FormatInt(node.mtime.UnixNano(), 10) + "\n"
}

func (c answerCache) load(node nodeFile) (string, bool) {
	if c.dir == "" {
		return "", false
	}
	data, err := os.ReadFile(c.file(node))
	if err != nil || len(data) > answerLimit {
		return "", false
	}
	rest, ok := strings.CutPrefix(string(data), c.head(node))
	if !ok || !strings.HasSuffix(rest, "\n") {
		return "", false
	}
	return semver.Valid(strings.TrimSuffix(rest, "\n"), semver.Options{})
}

func (c answerCache) save(node nodeFile, version string) {
	if c.dir == "" {
		return
	}
	name := c.file(node)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return
	}
	temp, err := os.CreateTemp(filepath.Dir(name), ".tmp-*")
	if err != nil {
		return
	}
	_, err = temp.WriteString(c.head(node) + version + "\n")
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temp.Name(), name)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
}
