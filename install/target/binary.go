package target

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"io"
	"os"
	"strings"
)

// binary is what a program's own headers say: the processor it was built for
// and, for ELF, the C library whose loader starts it. "" is unknown.
type binary struct{ cpu, libc string }

// interpreterLimit bounds a PT_INTERP segment, which holds one path.
const interpreterLimit = 4 << 10

// readBinary reads the headers of an ELF, Mach-O or PE file; a universal
// Mach-O and anything else is unknown.
func readBinary(path string) binary {
	f, err := os.Open(path)
	if err != nil {
		return binary{}
	}
	defer f.Close()
	if file, err := elf.NewFile(f); err == nil {
		return binary{cpu: elfCPU(file), libc: elfLibc(file)}
	}
	if file, err := macho.NewFile(f); err == nil {
		switch file.Cpu {
		case macho.CpuAmd64:
			return binary{cpu: "x64"}
		case macho.CpuArm64:
			return binary{cpu: "arm64"}
		}
	}
	if file, err := pe.NewFile(f); err == nil {
		switch file.Machine {
		case pe.IMAGE_FILE_MACHINE_AMD64:
			return binary{cpu: "x64"}
		case pe.IMAGE_FILE_MACHINE_ARM64:
			return binary{cpu: "arm64"}
		case pe.IMAGE_FILE_MACHINE_I386:
			return binary{cpu: "ia32"}
		}
	}
	return binary{}
}

func elfCPU(f *elf.File) string {
	switch f.Machine {
	case elf.EM_X86_64:
		return "x64"
	case elf.EM_AARCH64:
		return "arm64"
	case elf.EM_386:
		return "ia32"
	case elf.EM_ARM:
		return "arm"
	case elf.EM_PPC64:
		return "ppc64"
	case elf.EM_S390:
		return "s390x"
	case elf.EM_RISCV:
		return "riscv64"
	case elf.EM_LOONGARCH:
		return "loong64"
	default:
		return ""
	}
}

func elfLibc(f *elf.File) string {
	for _, p := range f.Progs {
		if p.Type != elf.PT_INTERP {
			continue
		}
		data, err := io.ReadAll(io.LimitReader(p.Open(), interpreterLimit))
		switch loader := string(data); {
		case err != nil:
			return ""
		case strings.Contains(loader, "ld-musl-"):
			return "musl"
		case strings.Contains(loader, "ld-linux"), strings.Contains(loader, "/ld64.so"):
			return "glibc"
		}
	}
	return ""
}

func readPrefix(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}
