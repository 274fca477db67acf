/* SPDX-License-Identifier: MIT */
/* setjmp(3) and its kin. newlib's own longjmp lets a value of 0 through, which C11 7.13.2.1 forbids, and it has no
 * sigsetjmp. The buffer is newlib's, rbx rbp r12 r13 r14 r15 rsp rip; a sigjmp_buf goes on with a flag and a mask. */

#include "abi/ticks.h"

#define LONGJMP_TICKS 8
#define FLAG 64
#define MASK 72
#define SIG_SETMASK 2

	.macro function name
	.section .text.\name, "ax", @progbits
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	.endm

	.macro end name
	.cfi_endproc
	.size \name, . - \name
	.endm

function _setjmp
	jmp setjmp
end _setjmp

function setjmp
	mov %rbx, (%rdi)
	mov %rbp, 8(%rdi)
	mov %r12, 16(%rdi)
	mov %r13, 24(%rdi)
	mov %r14, 32(%rdi)
	mov %r15, 40(%rdi)
	lea 8(%rsp), %rax
	mov %rax, 48(%rdi)
	mov (%rsp), %rax
	mov %rax, 56(%rdi)
	xor %eax, %eax
	ret
end setjmp

function sigsetjmp
	mov %rsi, FLAG(%rdi)
	test %esi, %esi
	jz setjmp
	push %rdi
	.cfi_adjust_cfa_offset 8
	lea MASK(%rdi), %rdx
	xor %esi, %esi
	mov $SIG_SETMASK, %edi
	call sigprocmask
	pop %rdi
	.cfi_adjust_cfa_offset -8
	jmp setjmp
end sigsetjmp

/* This one does not return, so it need not leave the stack as it was. */
function siglongjmp
	cmpl $0, FLAG(%rdi)
	je longjmp
	push %rdi
	.cfi_adjust_cfa_offset 8
	push %rsi
	.cfi_adjust_cfa_offset 8
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	lea MASK(%rdi), %rsi
	xor %edx, %edx
	mov $SIG_SETMASK, %edi
	call sigprocmask
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
	pop %rsi
	.cfi_adjust_cfa_offset -8
	pop %rdi
	.cfi_adjust_cfa_offset -8
	jmp longjmp
end siglongjmp

function _longjmp
	jmp longjmp
end _longjmp

/* A loop may be made of this, and of nothing else: it has a check of the tick clock (libc-port/ticks). */
function longjmp
	subq $LONGJMP_TICKS << TICKS_LEFT_SHIFT, __eremite_ticks_left
	jg 1f
	movl $1f, __eremite_ticks_back
	jmp __eremite_ticks_out
1:
	mov (%rdi), %rbx
	mov 8(%rdi), %rbp
	mov 16(%rdi), %r12
	mov 24(%rdi), %r13
	mov 32(%rdi), %r14
	mov 40(%rdi), %r15
	mov 48(%rdi), %rsp
	mov %esi, %eax
	cmp $1, %eax
	adc $0, %eax
	jmp *56(%rdi)
end longjmp

	.section .note.GNU-stack, "", @progbits
