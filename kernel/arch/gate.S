/* SPDX-License-Identifier: MIT */
/* The gate: all the code that runs in ring 0. Every instruction here costs 0.6 us on kvm-pvm. The gate uses no SSE
 * register, and no instruction that kvm-pvm cannot interpret. It leaves by iretq with a prepared frame. Only CR2, CR3,
 * invlpg and MSRs need ring 0; the other work is done in ring 3. */
#include "abi/image.h"
#include "abi/layout.h"
#include "abi/translation.h"

#define MSR_FS_BASE 0xc0000100

	.section .text.gate, "ax"

/* Vector 14, on its own IST stack, whose top is fixed: [rax] [error] [rip] [cs] [rflags] [rsp] [ss]. CR2 goes on in rax.
 */
	.globl gate_page_fault
	.hidden gate_page_fault
	.type gate_page_fault, @function
	.balign 16
gate_page_fault:
	push %rax
	mov %cr2, %rax
	lea page_fault_frame(%rip), %rsp
	iretq
	.size gate_page_fault, . - gate_page_fault

/* Vector 3. The return address tells a call of the gate from a breakpoint, so that no program can make a call by
 * chance. int3 is the only software interrupt that kvm-pvm passes on from ring 3. INVLPG comes
 * first: programs that make code need it a thousand times, and others load CR3 some dozen times. */
	.globl gate_breakpoint
	.hidden gate_breakpoint
	.type gate_breakpoint, @function
	.balign 16
gate_breakpoint:
	cmpq $gate_invlpg_return, (%rsp)
	jne 1f
	invlpg (%rdi)
	iretq
1:	cmpq $gate_load_cr3_return, (%rsp)
	jne 2f
	mov %rdi, %cr3
	iretq
2:	cmpq $gate_set_fs_base_return, (%rsp)
	jne 3f
	mov %edi, %eax
	mov %rdi, %rdx
	shr $32, %rdx
	mov $MSR_FS_BASE, %ecx
	wrmsr
	iretq
3:	lea breakpoint_frame(%rip), %rsp
	iretq
	.size gate_breakpoint, . - gate_breakpoint

/* All registers that a function may change, so that they are the same with and without the engine's routine. */
	.macro CLEAR_CHANGED
	xor %eax, %eax
	xor %ecx, %ecx
	xor %edx, %edx
	xor %esi, %esi
	xor %edi, %edi
	xor %r8d, %r8d
	xor %r9d, %r9d
	xor %r10d, %r10d
	xor %r11d, %r11d
	.endm

/* Continues at 1 if the engine has a routine for its translations, with its address in rax. */
	.macro FIND_ROUTINE
	movabs $(LAYOUT_DIRECT_MAP + LAYOUT_BOOT_INFO + TRANSLATION_IN_BOOT_INFO), %rax
	mov (%rax), %rax
	test %rax, %rax
	jnz 1f
	.endm

	.macro CALL_ROUTINE code
	mov $\code, %esi
	lea 2f(%rip), %r8
	jmp *%rax
	.endm

	.macro BEGIN name
	.globl gate_\name
	.hidden gate_\name
	.type gate_\name, @function
	.balign 16
gate_\name:
	.cfi_startproc
	.endm

	.macro END name
	CLEAR_CHANGED
	ret
	.cfi_endproc
	.size gate_\name, . - gate_\name
	.endm

/* The call of ring 0. */
	.macro CALL_GATE name
	int3
	.globl gate_\name\()_return
	.hidden gate_\name\()_return
gate_\name\()_return:
	.endm

/* void gate_NAME(uint64_t argument), ring 3. */
	BEGIN load_cr3
	CALL_GATE load_cr3
	END load_cr3

	BEGIN set_fs_base
	CALL_GATE set_fs_base
	END set_fs_base

	BEGIN invlpg
	FIND_ROUTINE
	CALL_GATE invlpg
	jmp 2f
1:	CALL_ROUTINE TRANSLATION_FORGET
2:	END invlpg

	BEGIN reload_cr3
	FIND_ROUTINE
	jmp gate_load_cr3
1:	CALL_ROUTINE TRANSLATION_FORGET_CHANGED
2:	END reload_cr3

	BEGIN show
	FIND_ROUTINE
	jmp 2f
1:	CALL_ROUTINE TRANSLATION_SHOW
2:	END show

/* LSTAR. The processor arrives here in ring 0, kvm-pvm in ring 3; the same instructions serve both. */
	.globl gate_syscall
	.hidden gate_syscall
	.type gate_syscall, @function
	.balign 16
gate_syscall:
	mov %r11, syscall_flags(%rip)
	mov %rsp, %r11
	lea syscall_frame(%rip), %rsp
	iretq
	.size gate_syscall, . - gate_syscall

/* Of each processor, because they lead to its stacks (kernel/lib/per_processor.h). */
	.section .data.processor, "aw"
	.balign 16
	.globl page_fault_frame
	.hidden page_fault_frame
page_fault_frame:
	.quad trap_page_fault, SELECTOR_RING3_CODE, 0x202, page_fault_landing_top - 56, SELECTOR_RING3_DATA
	.balign 16
	.globl breakpoint_frame
	.hidden breakpoint_frame
breakpoint_frame:
	.quad trap_breakpoint, SELECTOR_RING3_CODE, 0x202, breakpoint_landing_top - 40, SELECTOR_RING3_DATA
	.balign 16
syscall_frame:
	.globl gate_syscall_target
	.hidden gate_syscall_target
gate_syscall_target: /* set by kmain */
	.quad 0
	.quad SELECTOR_RING3_CODE, 0x202, trap_stack_top - 8, SELECTOR_RING3_DATA

	.globl syscall_flags
	.hidden syscall_flags
syscall_flags: /* the flags at the call */
	.quad 0

	.section .note.GNU-stack, "", @progbits
