/* SPDX-License-Identifier: MIT */
/* The gate: all the code that runs in ring 0. Every instruction here costs 0.6 us on kvm-pvm.
 *
 * It touches no SSE register and uses no instruction that kvm-pvm cannot interpret. It leaves by iretq with a
 * frame made ahead, because only CR2, CR3 and invlpg need ring 0; the work is done in ring 3. */
#include "abi/image.h"
#include "abi/layout.h"

	.section .text.gate, "ax"

/* Vector 14, on its own IST stack, whose top is fixed: [cr2] [error] [rip] [cs] [rflags] [rsp] [ss]. */
	.globl page_fault_stub
	.hidden page_fault_stub
	.type page_fault_stub, @function
	.balign 16
page_fault_stub:
	push %rax
	mov %cr2, %rax
	xchg %rax, (%rsp)
	lea page_fault_frame(%rip), %rsp
	iretq
	.size page_fault_stub, . - page_fault_stub

/* GATE_VECTOR from ring 3: eax is the operation, rdi its argument. */
	.globl gate_stub
	.hidden gate_stub
	.type gate_stub, @function
	.balign 16
gate_stub:
	cmp $GATE_INVLPG, %eax
	jne 1f
	invlpg (%rdi)
	iretq
1:	mov %rdi, %cr3
	iretq
	.size gate_stub, . - gate_stub

/* LSTAR. The processor arrives here in ring 0, kvm-pvm in ring 3; the same three instructions serve both. */
	.globl syscall_stub
	.hidden syscall_stub
	.type syscall_stub, @function
	.balign 16
syscall_stub:
	mov %rsp, %r11
	lea syscall_frame(%rip), %rsp
	iretq
	.size syscall_stub, . - syscall_stub

	.data
	.balign 16
page_fault_frame:
	.quad page_fault_entry, SELECTOR_RING3_CODE, 0x202, page_fault_stack_top - 56, SELECTOR_RING3_DATA
	.balign 16
syscall_frame:
	.quad syscall_entry, SELECTOR_RING3_CODE, 0x202, trap_stack_top, SELECTOR_RING3_DATA

	.bss
	.balign 64
	.skip 256
	.globl gate_stack_top
	.hidden gate_stack_top
gate_stack_top:
	.skip 16384
	.globl page_fault_stack_top
	.hidden page_fault_stack_top
page_fault_stack_top:
	.skip 16384
	.globl trap_stack_top
	.hidden trap_stack_top
trap_stack_top:

	.section .note.GNU-stack, "", @progbits
