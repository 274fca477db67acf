/* SPDX-License-Identifier: MIT */
/* Leaving the place where tries start, and coming back (enter.h). */

	.text
	.globl enter_leave
	.hidden enter_leave
	.type enter_leave, @function
	.balign 16
enter_leave:
	.cfi_startproc
	mov %rbx, (%rdi)
	mov %rbp, 8(%rdi)
	mov %r12, 16(%rdi)
	mov %r13, 24(%rdi)
	mov %r14, 32(%rdi)
	mov %r15, 40(%rdi)
	mov (%rsp), %rax
	mov %rax, 56(%rdi)
	lea 8(%rsp), %rax
	mov %rax, 48(%rdi)
	fxsave64 64(%rdi)
	.cfi_undefined rip
	mov %rsi, %rsp
	xor %ebp, %ebp
	call *%rdx
	ud2
	.cfi_endproc
	.size enter_leave, . - enter_leave

	.globl enter_resume
	.hidden enter_resume
	.type enter_resume, @function
	.balign 16
enter_resume:
	fxrstor64 64(%rdi)
	mov (%rdi), %rbx
	mov 8(%rdi), %rbp
	mov 16(%rdi), %r12
	mov 24(%rdi), %r13
	mov 32(%rdi), %r14
	mov 40(%rdi), %r15
	mov 48(%rdi), %rsp
	jmp *56(%rdi)
	.size enter_resume, . - enter_resume

	.section .note.GNU-stack, "", @progbits
