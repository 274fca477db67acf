/* SPDX-License-Identifier: MIT */
/* The upper halves of the vector registers, which FXSAVE and FXRSTOR leave alone. XSAVE itself is not used: what it
 * writes depends on what the processor takes for unused, and on the host's XCR0. */
#include "kernel/linux/vector.inc"

	.text
	.globl cpu_save_upper
	.hidden cpu_save_upper
	.type cpu_save_upper, @function
cpu_save_upper:
	HAS_UPPER %rax
	jz 1f
	SAVE_UPPER %rdi
	ret
1:	SAVE_NO_UPPER %rdi, ax
	ret
	.size cpu_save_upper, . - cpu_save_upper

	.globl cpu_load_upper
	.hidden cpu_load_upper
	.type cpu_load_upper, @function
cpu_load_upper:
	HAS_UPPER %rax
	jz 1f
	LOAD_UPPER %rdi
1:	ret
	.size cpu_load_upper, . - cpu_load_upper

	.globl cpu_clear_upper
	.hidden cpu_clear_upper
	.type cpu_clear_upper, @function
cpu_clear_upper:
	HAS_UPPER %rax
	jz 1f
	vzeroupper
1:	ret
	.size cpu_clear_upper, . - cpu_clear_upper

	.section .note.GNU-stack, "", @progbits
