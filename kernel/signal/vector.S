/* SPDX-License-Identifier: MIT */
/* Saving and restoring the vector registers and the floating-point control words. */
#include "kernel/arch/fxsave.inc"

	.text
	.globl signal_vector_save
	.hidden signal_vector_save
	.type signal_vector_save, @function
signal_vector_save:
	.cfi_startproc
	fxsave64 (%rdi)
	SETTLE_FXSAVE %rdi
	ret
	.cfi_endproc
	.size signal_vector_save, . - signal_vector_save

	.globl signal_vector_load
	.hidden signal_vector_load
	.type signal_vector_load, @function
signal_vector_load:
	.cfi_startproc
	fxrstor64 (%rdi)
	ret
	.cfi_endproc
	.size signal_vector_load, . - signal_vector_load

	.globl signal_vector_default_environment
	.hidden signal_vector_default_environment
	.type signal_vector_default_environment, @function
signal_vector_default_environment:
	.cfi_startproc
	fninit
	ldmxcsr default_mxcsr(%rip)
	ret
	.cfi_endproc
	.size signal_vector_default_environment, . - signal_vector_default_environment

	.section .rodata, "a"
	.balign 4
default_mxcsr:
	.long 0x1f80

	.section .note.GNU-stack, "", @progbits
