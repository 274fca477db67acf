/* SPDX-License-Identifier: MIT */
/* The accesses of atomic operations: one instruction each, before which threads can be switched as before the program's
 * own accesses. The monitor's search of code takes no other place of this library, by the name of this section. The
 * NOPs, which must not look like loads, leave room for a jump. */
	.section .eremite.points, "ax", @progbits

	.macro point name
	.p2align 4
	.globl \name
	.hidden \name
	.type \name, @function
\name:
	.cfi_startproc
	.endm

	.macro done name
	nop
	nop
	nop
	ret
	.cfi_endproc
	.size \name, . - \name
	.endm

	.macro points bits, load, value, new, result
	point point_load\bits
	\load
	done point_load\bits
	point point_store\bits
	mov \value, (%rdi)
	done point_store\bits
	point point_exchange\bits
	mov %rsi, %rax
	xchg \result, (%rdi)
	done point_exchange\bits
	point point_add\bits
	mov %rsi, %rax
	lock xadd \result, (%rdi)
	done point_add\bits
	point point_compare\bits
	mov %rsi, %rax
	lock cmpxchg \new, (%rdi)
	done point_compare\bits
	.endm

	points 8, "movzbl (%rdi), %eax", %sil, %dl, %al
	points 16, "movzwl (%rdi), %eax", %si, %dx, %ax
	points 32, "mov (%rdi), %eax", %esi, %edx, %eax
	points 64, "mov (%rdi), %rax", %rsi, %rdx, %rax

/* __int128 point_compare128(address, expected in rsi and rdx, new in rcx and r8) */
	point point_compare128
	push %rbx
	.cfi_adjust_cfa_offset 8
	.cfi_offset %rbx, -16
	mov %rsi, %rax
	mov %rcx, %rbx
	mov %r8, %rcx
	lock cmpxchg16b (%rdi)
	nop
	nop
	nop
	pop %rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size point_compare128, . - point_compare128

	.section .note.GNU-stack, "", @progbits
