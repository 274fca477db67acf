/* SPDX-License-Identifier: MIT */
/* A `syscall` instruction in a native image is an exception: native images call the kernel's functions instead. */
#include "abi/layout.h"
#include "kernel/arch/trap_frame.inc"

	.section .text.gate, "ax"
/* From gate_syscall: a `syscall` instruction; rcx is its return address, r11 its stack pointer. */
	.globl native_syscall_entry
	.hidden native_syscall_entry
	.type native_syscall_entry, @function
	.balign 16
native_syscall_entry:
	push $SELECTOR_RING3_DATA
	push %r11
	push $0x202
	push $SELECTOR_RING3_CODE
	push %rcx
	push $0
	push $0x80
	push $0
	SAVE_REGISTERS
	mov %rsp, %rdi
	cld
	call *trap_handler(%rip)
	jmp trap_return
	.size native_syscall_entry, . - native_syscall_entry

	.section .note.GNU-stack, "", @progbits
