/* SPDX-License-Identifier: MIT */
/* Copies that may fault. Between uaccess_begin and uaccess_end the trap handler turns a fault into a jump to
 * uaccess_fail. Therefore no code in between may move the stack pointer. */

	.section .text.gate, "ax"
	.globl uaccess_begin, uaccess_end, uaccess_fail
	.hidden uaccess_begin, uaccess_end, uaccess_fail
	.balign 16
uaccess_begin:

/* int copy_to_user(void *to, const void *from, size_t bytes); copy_from_user has the same code. */
	.globl copy_to_user, copy_from_user
	.hidden copy_to_user, copy_from_user
	.type copy_to_user, @function
	.type copy_from_user, @function
copy_to_user:
copy_from_user:
	mov %rdx, %rcx
	rep movsb
	xor %eax, %eax
	ret
	.size copy_to_user, . - copy_to_user
	.size copy_from_user, . - copy_from_user

/* int uaccess_load(uint32_t *to, const uint32_t *from): `rep movsb` costs 15 ns for so few bytes. */
	.globl uaccess_load
	.hidden uaccess_load
	.type uaccess_load, @function
	.balign 16
uaccess_load:
	mov (%rsi), %eax
	mov %eax, (%rdi)
	xor %eax, %eax
	ret
	.size uaccess_load, . - uaccess_load

/* int uaccess_store(uint32_t *to, uint32_t value) */
	.globl uaccess_store
	.hidden uaccess_store
	.type uaccess_store, @function
	.balign 16
uaccess_store:
	mov %esi, (%rdi)
	xor %eax, %eax
	ret
	.size uaccess_store, . - uaccess_store

/* int clear_user(void *to, size_t bytes) */
	.globl clear_user
	.hidden clear_user
	.type clear_user, @function
	.balign 16
clear_user:
	mov %rsi, %rcx
	xor %eax, %eax
	rep stosb
	ret
	.size clear_user, . - clear_user

/* long strncpy_from_user(char *to, const char *from, size_t size) */
	.globl strncpy_from_user
	.hidden strncpy_from_user
	.type strncpy_from_user, @function
	.balign 16
strncpy_from_user:
	xor %eax, %eax
1:	cmp %rdx, %rax
	jae 2f
	mov (%rsi,%rax), %cl
	mov %cl, (%rdi,%rax)
	test %cl, %cl
	jz 3f
	inc %rax
	jmp 1b
2:	mov $-36, %rax /* ENAMETOOLONG */
3:	ret
	.size strncpy_from_user, . - strncpy_from_user

uaccess_end:
	.type uaccess_fail, @function
uaccess_fail:
	mov $-14, %rax /* EFAULT */
	ret
	.size uaccess_fail, . - uaccess_fail

	.section .note.GNU-stack, "", @progbits
