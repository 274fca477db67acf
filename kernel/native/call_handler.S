/* SPDX-License-Identifier: MIT */
/* Calls signal handlers, with or without a change of stack, and returns from the handler of a fault. */

/* Layout below rbp: the FNSTENV area and MXCSR. The second half of the area, about the last x87 instruction, differs
 * between vendors (vector.S), and so do reserved halves of words. */
#define ENVIRONMENT 32
#define ENVIRONMENT_LAST 12
#define ENVIRONMENT_MXCSR 28

	.text
	.globl call_handler
	.hidden call_handler
	.type call_handler, @function
call_handler:
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
	call signal_vector_default_environment
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
	.size call_handler, . - call_handler

	.globl call_handler_return
	.hidden call_handler_return
	.type call_handler_return, @function
call_handler_return:
	mov %rsp, %rdi
	and $-16, %rsp
	call native_deliver_return
	ud2
	.size call_handler_return, . - call_handler_return

	.section .note.GNU-stack, "", @progbits
