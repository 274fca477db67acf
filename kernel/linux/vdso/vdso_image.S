/* SPDX-License-Identifier: MIT */
/* The vDSO, built from vdso_object.S, for vdso.c. */
	.section .rodata.vdso, "a"
	.globl vdso_image, vdso_image_end
	.hidden vdso_image, vdso_image_end
	.balign 8
vdso_image:
	.incbin "vdso.so"
vdso_image_end:

	.section .note.GNU-stack, "", @progbits
