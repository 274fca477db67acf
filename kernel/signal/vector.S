/* SPDX-License-Identifier: MIT */
/* The vector registers, to memory and back, and what rules floating point. */

	.text
/* Intel's processors store where the last x87 instruction was, AMD's only while an exception is pending; and the mask
 * of MXCSR has a bit more on AMD's. Memory must be the same on all, so all store what the model would: none. */
#define FXSAVE_FOP 6
#define FXSAVE_FIP 8
#define FXSAVE_FDP 16
#define FXSAVE_MXCSR_MASK 28
	.globl signal_save_vector
	.hidden signal_save_vector
	.type signal_save_vector, @function
signal_save_vector:
	fxsave64 (%rdi)
	movw $0, FXSAVE_FOP(%rdi)
	movq $0, FXSAVE_FIP(%rdi)
	movq $0, FXSAVE_FDP(%rdi)
	movl $0xffff, FXSAVE_MXCSR_MASK(%rdi)
	ret
	.size signal_save_vector, . - signal_save_vector

	.globl signal_load_vector
	.hidden signal_load_vector
	.type signal_load_vector, @function
signal_load_vector:
	fxrstor64 (%rdi)
	ret
	.size signal_load_vector, . - signal_load_vector

	.globl signal_default_environment
	.hidden signal_default_environment
	.type signal_default_environment, @function
signal_default_environment:
	fninit
	ldmxcsr default_mxcsr(%rip)
	ret
	.size signal_default_environment, . - signal_default_environment

	.section .rodata, "a"
	.balign 4
default_mxcsr:
	.long 0x1f80

	.section .note.GNU-stack, "", @progbits
