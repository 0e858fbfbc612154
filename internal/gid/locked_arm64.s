#include "textflag.h"

// func word(at uintptr) uintptr
TEXT ·word(SB), NOSPLIT, $0-16
	MOVD at+0(FP), R1
	MOVD (g)(R1), R0
	MOVD R0, ret+8(FP)
	RET
