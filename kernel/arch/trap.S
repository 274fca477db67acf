/* SPDX-License-Identifier: MIT */
/* Exceptions arrive here in ring 3 on an IST stack; each becomes a struct trap_frame for *trap_handler.
 *
 * The processor starts at the top of an IST stack each time. So the frame is moved to the trap stack at once, below the
 * frames of an interrupted handler: handlers may fault, in uaccess and in the direct map. */
#include "abi/image.h"
#include "abi/layout.h"
#include "kernel/arch/trap_frame.inc"

#define TRAP_STACK_BYTES 16384
#define RED_ZONE 128
#define RFLAGS_RF 0x10000
#define RFLAGS_AC 0x40000
#define FRAME_RFLAGS 160

/* Changes to the trap stack, from an IST stack with [vector or address][error][rip][cs][rflags][rsp][ss]. Copies all
 * but the first word, and leaves rcx at a copy of [rcx][rax][vector or address]. The stack is then aligned for the call
 * of the handler.
 *
 * SS is loaded because QEMU clears it at an exception with an IST stack. The SDM (3A 6.14.4) does so only when the
 * privilege level changes, and iretq to ring 3 refuses an empty one. The resume flag is cleared, and CLEAR_LANDING
 * clears the other differences. Which exceptions set the flag, and which vector and error code a software interrupt
 * has, depends on the host, and memory must not. */
	.macro CHANGE_STACK
	push %rax
	push %rcx
	mov $SELECTOR_RING3_DATA, %eax
	mov %eax, %ss
	mov 56(%rsp), %rax
	mov %rax, %rcx
	sub $trap_stack, %rcx
	cmp $TRAP_STACK_BYTES + 1, %rcx
	lea -RED_ZONE(%rax), %rax
	mov $trap_stack_top, %ecx
	cmovae %rcx, %rax
	mov %rsp, %rcx
	andl $~RFLAGS_RF, 48(%rcx)
	and $-16, %rax
	lea -8(%rax), %rsp
	pushq 64(%rcx)
	pushq 56(%rcx)
	pushq 48(%rcx)
	pushq 40(%rcx)
	pushq 32(%rcx)
	pushq 24(%rcx)
	.endm

	.macro CLEAR_LANDING
	movq $0, 16(%rcx)
	movq $0, 24(%rcx)
	.endm

	.section .text.gate, "ax"
	.globl trap_stubs
	.hidden trap_stubs
	.balign IMAGE_STUB_BYTES
trap_stubs:
	.set vector, 0
	.rept IMAGE_VECTORS
	.balign IMAGE_STUB_BYTES
	.if vector == 8 || (vector >= 10 && vector <= 14) || vector == 17 || vector == 21 || vector == 29 || vector == 30
	.else
	push $0
	.endif
	push $vector
	jmp trap_common
	.set vector, vector + 1
	.endr

	.type trap_common, @function
	.balign 16
trap_common:
	CHANGE_STACK
	pushq 16(%rcx) /* vector */
	push $0 /* address */
	CLEAR_LANDING
	mov 8(%rcx), %rax
	mov (%rcx), %rcx
	SAVE_REGISTERS
	testl $RFLAGS_AC, FRAME_RFLAGS(%rsp) /* exceptions clear TF, but not AC; the kernel runs without AC */
	jz 1f
	pushfq
	andl $~RFLAGS_AC, (%rsp)
	popfq
1:	mov %rsp, %rdi
	cld
	call *trap_handler(%rip)
	jmp trap_return
	.size trap_common, . - trap_common

/* From gate_breakpoint: rsp points at the return frame. */
	.globl trap_breakpoint
	.hidden trap_breakpoint
	.type trap_breakpoint, @function
	.balign 16
trap_breakpoint:
	push $0
	push $3
	jmp trap_common
	.size trap_breakpoint, . - trap_breakpoint

/* From gate_page_fault: rsp points at the saved rax, which holds the faulting address now. */
	.globl trap_page_fault
	.hidden trap_page_fault
	.type trap_page_fault, @function
	.balign 16
trap_page_fault:
	xchg %rax, (%rsp)
	CHANGE_STACK
	push $14
	pushq 16(%rcx)
	CLEAR_LANDING
	mov 8(%rcx), %rax
	mov (%rcx), %rcx
	SAVE_REGISTERS
	mov %rsp, %rdi
	cld
	call *trap_handler(%rip)

/* Restores struct trap_frame at rsp. */
	.globl trap_return
	.hidden trap_return
	.globl trap_return
	.hidden trap_return
	.type trap_return, @function
trap_return:
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	pop %r11
	pop %r10
	pop %r9
	pop %r8
	pop %rax
	pop %rcx
	pop %rdx
	pop %rsi
	pop %rdi
	add $24, %rsp /* address, vector, error */
	iretq
	.size trap_page_fault, . - trap_page_fault

/* _Noreturn void trap_resume(const struct trap_frame *frame) */
	.globl trap_resume
	.hidden trap_resume
	.type trap_resume, @function
	.balign 16
trap_resume:
	mov %rdi, %rsp
	jmp trap_return
	.size trap_resume, . - trap_resume

	.section .bss.trap_handler, "aw", @nobits
	.balign 8
	.globl trap_handler
	.hidden trap_handler
trap_handler:
	.skip 8

	.section .bss.trap_stack, "aw", @nobits
	.balign 64
	.globl trap_memory
	.hidden trap_memory
trap_memory:

	/* Where the processor puts the frames of exceptions (IST 1 to 3), before they are moved. */
	.skip 256
	.globl page_fault_landing_top
	.hidden page_fault_landing_top
page_fault_landing_top:
	.skip 256
	.globl trap_landing_top
	.hidden trap_landing_top
trap_landing_top:
	.skip 256
	.globl breakpoint_landing_top
	.hidden breakpoint_landing_top
breakpoint_landing_top:

	.balign 64
trap_stack:
	.skip TRAP_STACK_BYTES
	.globl trap_stack_top
	.hidden trap_stack_top
trap_stack_top:

	.section .note.GNU-stack, "", @progbits
