package drive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// crates is where Debian's packages put the sources of crates; the cargo
// configuration beside the Rust program names it too.
const crates = "/usr/share/cargo/registry"

// BuildTokio builds the Rust program in dir into target and returns its path.
// Where something is missing the error says what.
func BuildTokio(ctx context.Context, dir, target string) (string, error) {
	cargo, err := exec.LookPath("cargo")
	if err != nil {
		return "", errors.New("cargo is not installed (hint: apt install cargo librust-tokio-dev)")
	}
	if found, _ := filepath.Glob(filepath.Join(crates, "tokio-1.24.*")); len(found) == 0 {
		return "", fmt.Errorf("there is no Tokio 1.24 in %s (hint: apt install librust-tokio-dev on Debian 12)", crates)
	}
	if target, err = filepath.Abs(target); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, cargo, "build", "--release", "--offline", "--locked", "--quiet", "--target-dir", target)
	cmd.Dir = dir // cargo reads .cargo/config.toml from there
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cargo build in %s: %w: %s", dir, err, strings.TrimSpace(string(out)))
	}
	path := filepath.Join(target, "release", "weft-bench-tokio")
	if _, err := os.Stat(path); err != nil {
		return "", err
	}
	return path, nil
}
