/* SPDX-License-Identifier: MIT */
/* Leaving the place where tries start, and coming back (enter.h). */

#include "abi/layout.h"

#define FLAGS (LAYOUT_DIRECT_MAP + LAYOUT_BOOT_INFO + 12)
#define FLAG_UPPER 64
#define FLAG_WIDE 128
#define FIRST_REGISTERS 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define MORE_REGISTERS 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31

	/* The place is in rdi; changes rax. */
	.macro SAVE_VECTORS
	fxsave64 64(%rdi)
	movabs $FLAGS, %rax
	testb $FLAG_UPPER, (%rax)
	jz 1f
	.irp number, FIRST_REGISTERS
	vextractf128 $1, %ymm\number, 576 + 16 * \number(%rdi)
	.endr
	testb $FLAG_WIDE, (%rax)
	jz 1f
	.irp number, 0, 1, 2, 3, 4, 5, 6, 7
	kmovq %k\number, 832 + 8 * \number(%rdi)
	.endr
	.irp number, FIRST_REGISTERS
	vextractf64x4 $1, %zmm\number, 896 + 32 * \number(%rdi)
	.endr
	.irp number, MORE_REGISTERS
	vmovdqu64 %zmm\number, 1408 + 64 * (\number - 16)(%rdi)
	.endr
1:
	.endm

	.macro LOAD_VECTORS
	fxrstor64 64(%rdi)
	movabs $FLAGS, %rax
	testb $FLAG_UPPER, (%rax)
	jz 1f
	.irp number, FIRST_REGISTERS
	vinsertf128 $1, 576 + 16 * \number(%rdi), %ymm\number, %ymm\number
	.endr
	testb $FLAG_WIDE, (%rax)
	jz 1f
	.irp number, 0, 1, 2, 3, 4, 5, 6, 7
	kmovq 832 + 8 * \number(%rdi), %k\number
	.endr
	.irp number, FIRST_REGISTERS
	vinsertf64x4 $1, 896 + 32 * \number(%rdi), %zmm\number, %zmm\number
	.endr
	.irp number, MORE_REGISTERS
	vmovdqu64 1408 + 64 * (\number - 16)(%rdi), %zmm\number
	.endr
1:
	.endm

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
	SAVE_VECTORS
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
	LOAD_VECTORS
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
