/* SPDX-License-Identifier: MIT */
/* Switching from one thread to another, and from a thread to the policies' stack. A switch is a function call, so
 * registers that a call need not preserve are not saved. Of the flags, AC, ID and NT can belong to a
 * thread; Linux programs enter the kernel without NT (entry.S). */
#include "abi/layout.h"
#include "kernel/sched/policy_stack.inc"

#define RFLAGS_OF_THREAD 0x244000 /* ID, AC, NT */

/* Bits of the x87 status word (SDM 1, 8.1.3): the exceptions, the summary of unmasked ones, and busy, which equals the
 * summary. The x87 stack is empty in a call. */
#define X87_EXCEPTIONS 0x80bf

	.text
	.globl context_switch
	.hidden context_switch
	.type context_switch, @function
	.balign 16
context_switch:
	.cfi_startproc
	push %rbp
	push %rbx
	push %r12
	push %r13
	push %r14
	push %r15
	pushfq
	sub $8, %rsp
	stmxcsr (%rsp)
	fnstcw 4(%rsp)
	fnstsw %ax
	and $X87_EXCEPTIONS, %eax
	mov %ax, 6(%rsp)
	mov %eax, %edx
	mov %rsp, (%rdi)
	/* Loaded in the sizes in which they were stored: one load of both would wait 8 ns for the stores. */
	mov (%rsp), %eax
	movzwl 4(%rsp), %ecx
	mov 8(%rsp), %r8d
	mov %rsi, %rsp
	/* Most threads have the same floating-point environment and the same flags; loading the environment costs at least
	 * 9 ns. */
	cmp (%rsp), %eax
	jne context_load_float
	cmp 4(%rsp), %cx
	jne context_load_float
	cmp 6(%rsp), %dx
	jne context_load_float
	xor 8(%rsp), %r8d
	test $RFLAGS_OF_THREAD, %r8d
	jnz context_load_flags
	jmp context_load_registers
	.cfi_endproc
	.size context_switch, . - context_switch

	.globl context_load
	.hidden context_load
	.type context_load, @function
context_load:
	mov %rdi, %rsp
context_load_float:
	.cfi_startproc
	.cfi_def_cfa rsp, 72
	.cfi_offset rip, -8
	.cfi_offset rbp, -16
	.cfi_offset rbx, -24
	.cfi_offset r12, -32
	.cfi_offset r13, -40
	.cfi_offset r14, -48
	.cfi_offset r15, -56
	ldmxcsr (%rsp)
	fnclex
	fldcw 4(%rsp)
	movzwl 6(%rsp), %ecx
	test %ecx, %ecx
	jz context_load_flags
	/* Recorded exceptions can only be loaded with the whole environment: control, status and tag words, and the
	 * address of the last instruction. */
	movzwl 4(%rsp), %eax
	mov %eax, -28(%rsp)
	mov %ecx, -24(%rsp)
	movl $0xffff, -20(%rsp)
	movq $0, -16(%rsp)
	movq $0, -8(%rsp)
	fldenv -28(%rsp)
context_load_flags:
	pushfq
	pop %rax
	xor 8(%rsp), %rax
	test $RFLAGS_OF_THREAD, %eax
	jz context_load_registers
	pushq 8(%rsp)
	popfq
context_load_registers:
	add $16, %rsp
	.cfi_def_cfa_offset 56
	pop %r15
	.cfi_def_cfa_offset 48
	pop %r14
	.cfi_def_cfa_offset 40
	pop %r13
	.cfi_def_cfa_offset 32
	pop %r12
	.cfi_def_cfa_offset 24
	pop %rbx
	.cfi_def_cfa_offset 16
	pop %rbp
	.cfi_def_cfa_offset 8
	xor %eax, %eax
	ret
	.cfi_endproc
	.size context_load, . - context_load

	.globl context_begin
	.hidden context_begin
	.type context_begin, @function
	.balign 16
context_begin:
	.cfi_startproc
	.cfi_undefined rip
	xor %ebp, %ebp
	mov %r12, %rdi
	call *%rbx
	ud2
	.cfi_endproc
	.size context_begin, . - context_begin

	.globl context_float
	.hidden context_float
	.type context_float, @function
context_float:
	stmxcsr (%rdi)
	fnstcw 4(%rdi)
	fnstsw %ax
	and $X87_EXCEPTIONS, %eax
	mov %ax, 6(%rdi)
	ret
	.size context_float, . - context_float

	.globl context_on_policy_stack
	.hidden context_on_policy_stack
	.type context_on_policy_stack, @function
	.balign 16
context_on_policy_stack:
	.cfi_startproc
	mov %rdi, %rax
	mov %rsi, %rdi
	ON_POLICY_STACK *%rax
	.cfi_endproc
	.size context_on_policy_stack, . - context_on_policy_stack

	.section .note.GNU-stack, "", @progbits
