// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build gc && !purego && !race && !stmdebug

#include "textflag.h"

// func current() uintptr
TEXT ·current(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET
