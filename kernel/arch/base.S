/* SPDX-License-Identifier: MIT */
/* Loading the bases of FS and GS, such that registers and stack afterwards are the same on every host. */
#include "abi/base.h"
#include "abi/layout.h"

	.macro LOAD name, code
	.globl base_load_\name
	.hidden base_load_\name
	.type base_load_\name, @function
	.balign 16
base_load_\name:
	.cfi_startproc
	movabs $(LAYOUT_DIRECT_MAP + LAYOUT_BOOT_INFO + BASE_IN_BOOT_INFO), %rax
	mov (%rax), %rax
	test %rax, %rax
	jnz 1f
	.globl base_wr\name\()base
	.hidden base_wr\name\()base
base_wr\name\()base:
	wr\name\()base %rdi
	jmp 2f
1:	mov $\code, %esi
	lea 2f(%rip), %r8
	jmp *%rax
2:	xor %eax, %eax
	xor %ecx, %ecx
	xor %esi, %esi
	xor %edi, %edi
	xor %r8d, %r8d
	xor %r11d, %r11d
	ret
	.cfi_endproc
	.size base_load_\name, . - base_load_\name
	.endm

	.text
	LOAD fs, BASE_FS
	LOAD gs, BASE_GS

	.section .note.GNU-stack, "", @progbits
