/* SPDX-License-Identifier: MIT */
/* The object that the kernel maps for each Linux program (vdso(7)): functions that replace system calls about time.
 * They are the kernel's calls, reached by the same jump as a patched system call. They cost the same virtual time, pass
 * the same decision points and enter the digest in the same way. The object is position-independent. Its only data is
 * the address of the kernel's entry, which the kernel fills in (vdso.c). */

	.macro CALL name, number
	.text
	.globl __vdso_\name
	.type __vdso_\name, @function
	.weak \name
	.set \name, __vdso_\name
	.balign 16
__vdso_\name:
	.cfi_startproc
	mov $\number, %eax
	/* The same code as in a stub of kernel/linux/patch/patch.c: a restarted call goes back by LINUX_JUMP_BYTES. */
	lea 1f(%rip), %rcx
	jmp *entry(%rip)
1:	ret
	.cfi_endproc
	.size __vdso_\name, . - __vdso_\name
	.size \name, . - __vdso_\name
	.endm

	CALL gettimeofday, 96
	CALL time, 201
	CALL clock_gettime, 228
	CALL clock_getres, 229
	CALL getcpu, 309

	/* The first word of the text, where the kernel finds it by the image's entry (vdso_object.ld). */
	.section .text.entry, "ax"
	.balign 8
	.globl entry
	.hidden entry
	.type entry, @object
entry:
	.quad 0
	.size entry, 8

	.section .note.GNU-stack, "", @progbits
