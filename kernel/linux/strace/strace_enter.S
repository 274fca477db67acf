/* SPDX-License-Identifier: MIT */
/* The ways into the code that notes system calls: by jumps, to the observer's stack and back, with all registers
 * unchanged but those that are named. */
#include "abi/layout.h"
#include "abi/strace.h"
#include "kernel/arch/scratch.inc"

#define SAVED(i) (LAYOUT_DIRECT_MAP + STRACE_SAVED + 8 * (i))

	/* SAVED(0) is rax. Leaves the thread's stack pointer in SAVED(1) and in rax. */
	.macro TO_OBSERVER
	mov %rsp, %rax
	movabs %rax, SAVED(1)
	movabs $(LAYOUT_DIRECT_MAP + STRACE_STACK_TOP), %rsp
	PUSH_SCRATCH
	.endm

	.macro FROM_OBSERVER
	POP_SCRATCH
	movabs SAVED(1), %rax
	mov %rax, %rsp
	.endm

	/* From entry.S, with the frame at the stack pointer and the address to continue at in rcx. */
	.macro AT_CALL name, function
	.globl \name
	.hidden \name
	.type \name, @function
	.balign 16
\name:
	movabs %rax, SAVED(0)
	TO_OBSERVER
	mov %rax, %rdi
	call \function
	FROM_OBSERVER
	movabs SAVED(0), %rax
	jmp *%rcx
	.size \name, . - \name
	.endm

	.text
	AT_CALL strace_enter_begin, strace_begins
	AT_CALL strace_enter_end, strace_ends

	/* From strace_note, with rax in SAVED(0) and the address to continue at in rax. */
	.globl strace_enter_note
	.hidden strace_enter_note
	.type strace_enter_note, @function
	.balign 16
strace_enter_note:
	movabs %rax, SAVED(2)
	TO_OBSERVER
	call strace_take_note
	FROM_OBSERVER
	movabs SAVED(2), %rax
	jmp *%rax
	.size strace_enter_note, . - strace_enter_note

	.section .note.GNU-stack, "", @progbits
