/* SPDX-License-Identifier: MIT */
/* The upper halves of the vector registers and the state of AVX-512, which FXSAVE and FXRSTOR do not cover. XSAVE
 * itself is not used: what it writes depends on what the processor takes for unused, and on the host's XCR0. */
#include "kernel/linux/cpu/vector_upper.inc"

	.text
	.globl cpu_save_upper
	.hidden cpu_save_upper
	.type cpu_save_upper, @function
cpu_save_upper:
	HAS_UPPER %rax
	jz 1f
	SAVE_UPPER %rdi
	ret
1:	SAVE_NO_UPPER %rdi, ax
	ret
	.size cpu_save_upper, . - cpu_save_upper

	.globl cpu_load_upper
	.hidden cpu_load_upper
	.type cpu_load_upper, @function
cpu_load_upper:
	HAS_UPPER %rax
	jz 1f
	LOAD_UPPER %rdi
1:	ret
	.size cpu_load_upper, . - cpu_load_upper

	.globl cpu_clear_upper
	.hidden cpu_clear_upper
	.type cpu_clear_upper, @function
cpu_clear_upper:
	HAS_UPPER %rax
	jz 1f
	vzeroupper
1:	ret
	.size cpu_clear_upper, . - cpu_clear_upper

/* Also clears ZF if so, and changes rax, rcx and rdx. XGETBV is in an immediate: the monitor removes it from images,
 * also from this one, because a program must not execute it. There is one call, whatever the host has, because its
 * trace on the stack counts. */
	.globl cpu_wide_begun
	.hidden cpu_wide_begun
	.type cpu_wide_begun, @function
cpu_wide_begun:
	.cfi_startproc
	HAS_WIDE %rax
	jz 2f
	mov $1, %ecx /* XINUSE (SDM 1, 13.6) */
	jmp 1f
	.byte 0xba /* mov $..., %edx */
1:	xgetbv
	nop
	test $CPU_STATE_WIDE, %al
2:	setnz %al
	ret
	.cfi_endproc
	.size cpu_wide_begun, . - cpu_wide_begun

	.globl cpu_save_wide
	.hidden cpu_save_wide
	.type cpu_save_wide, @function
cpu_save_wide:
	call cpu_wide_begun
	jz 1f
	SAVE_WIDE %rdi
1:	ret
	.size cpu_save_wide, . - cpu_save_wide

	.globl cpu_load_wide
	.hidden cpu_load_wide
	.type cpu_load_wide, @function
cpu_load_wide:
	HAS_WIDE %rax
	jz 1f
	LOAD_WIDE %rdi
1:	ret
	.size cpu_load_wide, . - cpu_load_wide

	.globl cpu_clear_wide
	.hidden cpu_clear_wide
	.type cpu_clear_wide, @function
cpu_clear_wide:
	call cpu_wide_begun
	jz 1f
	CLEAR_WIDE
1:	ret
	.size cpu_clear_wide, . - cpu_clear_wide

	.section .note.GNU-stack, "", @progbits
