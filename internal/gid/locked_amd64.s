#include "textflag.h"

// func word(at uintptr) uintptr
TEXT ·word(SB), NOSPLIT, $0-16
	MOVQ (TLS), AX
	MOVQ at+0(FP), CX
	MOVQ (AX)(CX*1), AX
	MOVQ AX, ret+8(FP)
	RET
