/* SPDX-License-Identifier: MIT */
/* Saving and restoring the vector registers and the floating-point control words. */
#include "kernel/arch/fxsave.inc"

	.text
	.globl signal_save_vector
	.hidden signal_save_vector
	.type signal_save_vector, @function
signal_save_vector:
	.cfi_startproc
	fxsave64 (%rdi)
	SETTLE_FXSAVE %rdi
	ret
	.cfi_endproc
	.size signal_save_vector, . - signal_save_vector

	.globl signal_load_vector
	.hidden signal_load_vector
	.type signal_load_vector, @function
signal_load_vector:
	.cfi_startproc
	fxrstor64 (%rdi)
	ret
	.cfi_endproc
	.size signal_load_vector, . - signal_load_vector

	.globl signal_default_environment
	.hidden signal_default_environment
	.type signal_default_environment, @function
signal_default_environment:
	.cfi_startproc
	fninit
	ldmxcsr default_mxcsr(%rip)
	ret
	.cfi_endproc
	.size signal_default_environment, . - signal_default_environment

	.section .rodata, "a"
	.balign 4
default_mxcsr:
	.long 0x1f80

	.section .note.GNU-stack, "", @progbits
