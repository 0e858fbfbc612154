package store

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

// digestBytes gives the algorithms that a key may use, and the length of their digests. The lengths differ, so a digest
// names its algorithm.
var digestBytes = map[string]int{"sha1": 20, "sha256": 32, "sha384": 48, "sha512": 64}

// folderOf returns where a package lives below the layout's folder. A key is one hash in the form of Subresource
// Integrity, "sha512-" and base64, without options.
func folderOf(key string) (string, error) {
	algorithm, text, _ := strings.Cut(key, "-")
	digest, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(digest) == 0 || len(digest) != digestBytes[algorithm] {
		return "", fmt.Errorf("%w: %q", ErrKey, key)
	}
	name := hex.EncodeToString(digest)
	return name[:2] + "/" + name, nil
}
