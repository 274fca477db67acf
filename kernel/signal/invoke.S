/* SPDX-License-Identifier: MIT */
/* Calls into signal handlers, with or without a change of stack, and the way back from a fault's handler. */

	.text
	.globl signal_invoke
	.hidden signal_invoke
	.type signal_invoke, @function
signal_invoke:
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register rbp
	mov %rdi, %rax
	mov %esi, %edi
	mov %rdx, %rsi
	mov %rcx, %rdx
	test %r8, %r8
	cmovnz %r8, %rsp
	and $-16, %rsp
	call *%rax
	mov %rbp, %rsp
	pop %rbp
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size signal_invoke, . - signal_invoke

	.globl signal_restore
	.hidden signal_restore
	.type signal_restore, @function
signal_restore:
	mov %rsp, %rdi
	and $-16, %rsp
	call signal_return
	ud2
	.size signal_restore, . - signal_restore

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

	.section .note.GNU-stack, "", @progbits
