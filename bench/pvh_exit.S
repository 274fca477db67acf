/* SPDX-License-Identifier: MIT */
/* The smallest kernel that QEMU's microvm boots (PVH): it leaves through isa-debug-exit with status 1. */
	.section .note.Xen, "a", @note
	.balign 4
	.long 4, 4, 18 /* XEN_ELFNOTE_PHYS32_ENTRY */
	.asciz "Xen"
	.long start

	.code32
	.text
	.globl start
start:
	xor %eax, %eax
	out %al, $0xf4
1:	hlt
	jmp 1b
	.section .note.GNU-stack, "", @progbits
