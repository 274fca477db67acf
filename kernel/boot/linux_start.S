/* SPDX-License-Identifier: MIT */
/* The entry for Linux when an image is started as if it were a program of the host: the ELF entry, which boot doors
 * ignore (they use image_header.start). Prints with Linux's own calls how to run the image, and exits with the status
 * that shells use for files that cannot be executed. */
#define LINUX_WRITEV 20
#define LINUX_EXIT_GROUP 231
#define LINUX_STDERR 2
#define NOT_EXECUTABLE 126

	.section .text.boot, "ax"
	.globl __linux_start
	.type __linux_start, @function
__linux_start:
	.cfi_startproc
	.cfi_undefined rip
	mov 8(%rsp), %rsi /* argv[0]; NULL when there are no arguments */
	xor %edx, %edx
	test %rsi, %rsi
	jz 2f
1:	cmpb $0, (%rsi, %rdx)
	je 2f
	inc %rdx
	jmp 1b
2:	push $tail_end - tail /* an array of struct iovec, last first */
	push $tail
	push %rdx
	push %rsi
	push $hint_end - hint
	push $hint
	push %rdx
	push %rsi
	mov $LINUX_WRITEV, %eax
	mov $LINUX_STDERR, %edi
	mov %rsp, %rsi
	mov $4, %edx
	syscall
	mov $LINUX_EXIT_GROUP, %eax
	mov $NOT_EXECUTABLE, %edi
	syscall
	ud2
	.cfi_endproc
	.size __linux_start, . - __linux_start

	.section .rodata.linux_start, "a"
hint:	.ascii ": an Eremite image; run it with 'eremite run "
hint_end:
tail:	.ascii "'\n"
tail_end:

	.section .note.GNU-stack, "", @progbits
