/* SPDX-License-Identifier: MIT */
/* Calls signal handlers, with or without a change of stack, and returns from the handler of a fault. */

/* Layout below rbp: the FNSTENV area and MXCSR. The second half of the area, about the last x87 instruction, differs
 * between vendors (vector.S), and so do reserved halves of words. */
#define ENVIRONMENT 32
#define ENVIRONMENT_LAST 12
#define ENVIRONMENT_MXCSR 28

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
	sub $ENVIRONMENT, %rsp
	fnstenv (%rsp)
	movw $0, 2(%rsp)
	movw $0, 6(%rsp)
	movw $0, 10(%rsp)
	movq $0, ENVIRONMENT_LAST(%rsp)
	movq $0, ENVIRONMENT_LAST + 8(%rsp)
	stmxcsr ENVIRONMENT_MXCSR(%rsp)
	call signal_default_environment
	test %r8, %r8
	cmovnz %r8, %rsp
	and $-16, %rsp
	call *%rax
	fldenv -ENVIRONMENT(%rbp)
	ldmxcsr ENVIRONMENT_MXCSR - ENVIRONMENT(%rbp)
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

	.section .note.GNU-stack, "", @progbits
