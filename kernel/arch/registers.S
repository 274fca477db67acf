/* SPDX-License-Identifier: MIT */
/* Captures the registers of a running function, for a report about an error at that place. */

/* void registers_capture(uint64_t registers[17]): DWARF order, as at the return of this call. */
	.text
	.globl registers_capture
	.hidden registers_capture
	.type registers_capture, @function
registers_capture:
	mov %rax, 0(%rdi)
	mov %rdx, 8(%rdi)
	mov %rcx, 16(%rdi)
	mov %rbx, 24(%rdi)
	mov %rsi, 32(%rdi)
	mov %rdi, 40(%rdi)
	mov %rbp, 48(%rdi)
	lea 8(%rsp), %rax
	mov %rax, 56(%rdi)
	mov %r8, 64(%rdi)
	mov %r9, 72(%rdi)
	mov %r10, 80(%rdi)
	mov %r11, 88(%rdi)
	mov %r12, 96(%rdi)
	mov %r13, 104(%rdi)
	mov %r14, 112(%rdi)
	mov %r15, 120(%rdi)
	mov (%rsp), %rax
	mov %rax, 128(%rdi)
	ret
	.size registers_capture, . - registers_capture

	.section .note.GNU-stack, "", @progbits
