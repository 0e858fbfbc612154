#include "textflag.h"

// func bounds() (lo, hi uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-16
	MOVQ (TLS), AX
	MOVQ 0(AX), CX
	MOVQ CX, lo+0(FP)
	MOVQ 8(AX), CX
	MOVQ CX, hi+8(FP)
	RET
