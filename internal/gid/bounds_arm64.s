#include "textflag.h"

// func bounds() (lo, hi uintptr)
TEXT ·bounds(SB), NOSPLIT, $0-16
	MOVD 0(g), R0
	MOVD R0, lo+0(FP)
	MOVD 8(g), R0
	MOVD R0, hi+8(FP)
	RET
