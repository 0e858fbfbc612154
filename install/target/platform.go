package target

import "strings"

// lddLimit bounds how much of ldd is read; glibc's is a script of 5 KiB, and
// where ldd is a binary the words stand in its first megabyte.
const lddLimit = 1 << 20

// nodeOS spells a GOOS as process.platform does.
func nodeOS(goos string) string {
	switch goos {
	case "windows":
		return "win32"
	case "solaris", "illumos":
		return "sunos"
	default:
		return goos
	}
}

// nodeCPU spells a GOARCH as process.arch does.
func nodeCPU(goarch string) string {
	switch goarch {
	case "amd64":
		return "x64"
	case "386":
		return "ia32"
	case "ppc64", "ppc64le":
		return "ppc64"
	case "mips64", "mips64le":
		return "mips64el"
	case "mipsle":
		return "mipsel"
	default: // arm, arm64, loong64, mips, riscv64 and s390x are the same words
		return goarch
	}
}

// libcFamily follows npm: what ldd is decides, even if that is neither; only
// where it cannot be read node itself is asked, by the interpreter that its
// binary names instead of by running it.
func libcFamily(ldd string, bin binary) string {
	data, err := readPrefix(ldd, lddLimit)
	switch text := string(data); {
	case err != nil:
		return bin.libc
	case strings.Contains(text, "musl"):
		return "musl"
	case strings.Contains(text, "GNU C Library"):
		return "glibc"
	default:
		return ""
	}
}
