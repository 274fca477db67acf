/* SPDX-License-Identifier: MIT */
/* event_enter: called by event_log() in a kernel call; calls event_note on the log's own stack. Preserves all registers
 * but rsp and rax, which event_log() restores: even an unused register can reach memory as part of a trap frame. The
 * saved registers are uint64_t registers[17] in DWARF order. */
#include "abi/layout.h"

#define SAVED(i) (LAYOUT_DIRECT_MAP + LAYOUT_EVENT_SAVED + 8 * (i))

	.text
	.globl event_enter
	.hidden event_enter
	.type event_enter, @function
event_enter:
	mov %rsp, %rax
	movabs %rax, SAVED(3)
	movabs $(LAYOUT_DIRECT_MAP + LAYOUT_EVENT_STACK_TOP), %rsp
	movabs SAVED(2), %rax
	push %rax /* where to return */
	push %rax
	push %r15
	push %r14
	push %r13
	push %r12
	push %r11
	push %r10
	push %r9
	push %r8
	movabs SAVED(3), %rax
	push %rax
	push %rbp
	push %rdi
	push %rsi
	push %rbx
	push %rcx
	push %rdx
	movabs SAVED(0), %rax
	push %rax
	mov %rsp, %rdx
	movabs SAVED(1), %rax
	mov %rax, %rsi
	movabs SAVED(4), %rax
	mov %rax, %rdi
	call event_note
	add $8, %rsp
	pop %rdx
	pop %rcx
	pop %rbx
	pop %rsi
	pop %rdi
	pop %rbp
	add $8, %rsp
	pop %r8
	pop %r9
	pop %r10
	pop %r11
	pop %r12
	pop %r13
	pop %r14
	pop %r15
	add $8, %rsp
	pop %rax
	jmp *%rax /* not ret, because the processor would predict the return from the kernel call */
	.size event_enter, . - event_enter

	.section .note.GNU-stack, "", @progbits
