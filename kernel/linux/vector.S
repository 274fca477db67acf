/* SPDX-License-Identifier: MIT */
/* The upper halves of the vector registers, which FXSAVE and FXRSTOR leave alone. XSAVE itself is not used: what it
 * writes depends on what the processor takes for unused, and on the host's XCR0. */
#include "kernel/linux/vector.inc"

	.text
	.globl cpu_save_upper
	.hidden cpu_save_upper
	.type cpu_save_upper, @function
cpu_save_upper:
	SAVE_UPPER %rdi
	ret
	.size cpu_save_upper, . - cpu_save_upper

	.globl cpu_load_upper
	.hidden cpu_load_upper
	.type cpu_load_upper, @function
cpu_load_upper:
	LOAD_UPPER %rdi
	ret
	.size cpu_load_upper, . - cpu_load_upper

	.section .note.GNU-stack, "", @progbits
