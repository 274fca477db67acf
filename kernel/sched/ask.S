/* SPDX-License-Identifier: MIT */
/* Places where a thread may be replaced: decision points (kernel/sys/point.h) and checks of the countdown. The code
 * jumps here with the address to continue at in rax. Checks of ticks, which are many and preserve all registers, have
 * that address in __eremite_ticks_back.
 *
 * A replay asks the policy at other times than the recorded run, so asking must leave no trace. It is done on the
 * policies' stack; not a byte is written to the thread's stack, not even by a call; and all registers are restored. The
 * thread's own stack is used only when there is something to do, and then the replay has the same to do. */
#include "abi/layout.h"
#include "kernel/arch/scratch.inc"

#define SAVED(i) (LAYOUT_DIRECT_MAP + LAYOUT_SCHED_SAVED + 8 * (i))
#define SAVED_RAX SAVED(0)
#define SAVED_OBJECT SAVED(1)
#define SAVED_ANSWER SAVED(4)
/* At the top of the policies' stack, for unwinders. */
#define STACK_TOP (LAYOUT_DIRECT_MAP + LAYOUT_SCHED_STACK_TOP)
#define SAVED_RETURN (STACK_TOP - 16)
#define SAVED_RSP (STACK_TOP - 8) /* where context_on_policy_stack saves rsp */

/* DW_OP_const8u \a */
#define CONST8U(a) \
	0x0e, (a) & 0xff, (a) >> 8 & 0xff, (a) >> 16 & 0xff, (a) >> 24 & 0xff, (a) >> 32 & 0xff, (a) >> 40 & 0xff, \
		(a) >> 48 & 0xff, (a) >> 56 & 0xff

#define RED_ZONE 128
#define FXSAVE_BYTES 512

	/* Continues at the address in rax. \ticks: restores the program's own rax, and the flags of a check that
	 * continues (abi/ticks.h). When something was \done, also sets the zero flag. */
	.macro GO_BACK ticks, done
	.if \ticks
	mov %eax, __eremite_ticks_back
	.if \done
	xor %eax, %eax
	.else
	mov $1, %al
	add $2, %al
	.endif
	movabs SAVED_RAX, %rax
	jmp *__eremite_ticks_back
	.else
	jmp *%rax
	.endif
	.endm

	/* At the start of a check of ticks. */
	.macro COME_FROM_CHECK
	movabs %rax, SAVED_RAX
	mov __eremite_ticks_back, %eax
	.endm

	/* Calls \function, and returns to the code if the answer is 0. Otherwise continues on the thread's stack, with
	 * every register but rax unchanged and the answer in SAVED_ANSWER. At a point in libc the arguments are the
	 * operation, encoded before the return address, the object, and the address to which the access returns; before a
	 * kernel call, its number, in bx. */
	.macro ASK function, what
	movabs %rax, SAVED_RETURN
	mov %rsp, %rax
	movabs %rax, SAVED_RSP
	.cfi_escape 0x0f, 10, CONST8U(SAVED_RSP), 0x06 /* DW_CFA_def_cfa_expression, DW_OP_deref */
	.cfi_escape 0x10, 16, 9, CONST8U(SAVED_RETURN) /* DW_CFA_expression of rip */
	movabs $(STACK_TOP - 16), %rsp
	PUSH_SCRATCH
	.ifc \what, point
	movabs SAVED_RETURN, %rax
	movzwl -4(%rax), %edi
	movabs SAVED_OBJECT, %rax
	mov %rax, %rsi
	movabs SAVED_RSP, %rax
	mov (%rax), %rdx
	.endif
	.ifc \what, call
	movzwl %bx, %edi
	xor %esi, %esi
	xor %edx, %edx
	.endif
	call \function
	POP_SCRATCH
	test %rax, %rax
	movabs %rax, SAVED_ANSWER
	movabs SAVED_RSP, %rax
	mov %rax, %rsp
	jnz 1f
	movabs SAVED_RETURN, %rax
	.ifc \what, ticks
	GO_BACK 1, 0
	.else
	GO_BACK 0, 0
	.endif
1:
	.endm

	/* Calls \function(answer) on the thread's stack, below the red zone; then continues the thread. */
	.macro ACT function, ticks, vector
	.cfi_def_cfa rsp, 0
	lea -RED_ZONE(%rsp), %rsp
	.cfi_def_cfa_offset RED_ZONE
	movabs SAVED_RETURN, %rax
	push %rax
	.cfi_def_cfa_offset RED_ZONE + 8
	.cfi_offset rip, -(RED_ZONE + 8)
	.if \ticks
	movabs SAVED_RAX, %rax
	.else
	xor %eax, %eax /* the saved object belongs to an earlier question */
	.endif
	push %rax
	PUSH_SCRATCH
	push %rbp
	.cfi_def_cfa_offset RED_ZONE + 88
	.cfi_offset rbp, -(RED_ZONE + 88)
	mov %rsp, %rbp
	.cfi_def_cfa_register rbp
	.if \ticks
	movq $0, __eremite_ticks_owed /* the kernel has charged it */
	.endif
	.if \vector
	sub $FXSAVE_BYTES, %rsp
	and $-16, %rsp
	mov %rsp, %rdi
	call signal_vector_save
	fninit
	.else
	and $-16, %rsp
	.endif
	movabs SAVED_ANSWER, %rax
	mov %rax, %rdi
	cld
	call \function
	.if \vector
	mov %rsp, %rdi
	call signal_vector_load
	.endif
	mov %rbp, %rsp
	.cfi_def_cfa_register rsp
	pop %rbp
	POP_SCRATCH
	pop %rax
	.if \ticks
	movabs %rax, SAVED_RAX
	.endif
	pop %rax
	lea RED_ZONE(%rsp), %rsp
	GO_BACK \ticks, 1
	.endm

	.text
	/* A decision point in libc. */
	.globl ask_point_taken
	.type ask_point_taken, @function
	.balign 16
ask_point_taken:
	.cfi_startproc
	.cfi_register rip, rax
	ASK sched_point_asked, point
	ACT sched_point_act, 0, 0
	.cfi_endproc
	.size ask_point_taken, . - ask_point_taken

	/* A decision point before a kernel call, from kcall_enter. */
	.globl ask_call_taken
	.hidden ask_call_taken
	.type ask_call_taken, @function
	.balign 16
ask_call_taken:
	.cfi_startproc
	.cfi_register rip, rax
	ASK sched_point_asked, call
	ACT sched_call_act, 0, 0
	.cfi_endproc
	.size ask_call_taken, . - ask_call_taken

	/* The countdown of ticks has run out, in a kernel call that is about to return. */
	.globl ask_ticks_taken
	.hidden ask_ticks_taken
	.type ask_ticks_taken, @function
	.balign 16
ask_ticks_taken:
	.cfi_startproc
	.cfi_register rip, rax
	COME_FROM_CHECK
	ASK sched_ticks_asked, ticks
	ACT sched_ticks_act, 1, 0
	.cfi_endproc
	.size ask_ticks_taken, . - ask_ticks_taken

	/* The countdown of ticks has run out elsewhere in a program: vector registers are in use. */
	.globl __eremite_ticks_out
	.type __eremite_ticks_out, @function
	.balign 16
__eremite_ticks_out:
	.cfi_startproc
	.cfi_register rip, rax
	COME_FROM_CHECK
	ASK sched_ticks_asked, ticks
	ACT sched_ticks_act, 1, 1
	.cfi_endproc
	.size __eremite_ticks_out, . - __eremite_ticks_out

	.section .note.GNU-stack, "", @progbits
