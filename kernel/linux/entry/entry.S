/* SPDX-License-Identifier: MIT */
/* System calls of Linux programs (syscall(2), "Architecture calling conventions"): by the instruction, which traps, and
 * by the jump that replaces it. Each thread has a kernel stack. At its top are the program's registers, as a struct
 * trap_frame. */
#include "abi/layout.h"
#include "kernel/arch/trap_frame.inc"
#include "kernel/arch/fxsave.inc"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/cpu/vector_upper.inc"

#define FRAME_RDI 112
#define FRAME_RSI 104
#define FRAME_RDX 96
#define FRAME_RCX 88
#define FRAME_RAX 80
#define FRAME_R8 72
#define FRAME_R9 64
#define FRAME_R10 56
#define FRAME_R11 48
#define FRAME_RIP 144
#define FRAME_RFLAGS 160
#define FRAME_RSP 168
#define FRAME_BYTES 184

#define FLAG_DF 0x400
#define FLAG_NT 0x4000

	.section .text.gate, "ax"

	/* Builds the frame, with the stack pointer and the address to continue at in registers. */
	.macro ENTER vector, flags, stack=%r11, place=%rcx
	mov thread_current, %rsp
	mov THREAD_KERNEL_STACK(%rsp), %rsp
	push $SELECTOR_RING3_DATA
	push \stack
	\flags
	push $SELECTOR_RING3_CODE
	push \place
	push %rax /* the number, which a restarted call needs */
	push $\vector
	push $0
	SAVE_REGISTERS
	.endm

	/* IRETQ faults while NT is set (SDM 2A), and a jump to the kernel does not clear it. */
	.macro CLEAR_NESTED_TASK
	testl $FLAG_NT, FRAME_RFLAGS(%rsp)
	jz 9f
	pushfq
	andl $~FLAG_NT, (%rsp)
	popfq
9:
	.endm

	/* Goes to \place and comes back to \back if the run's calls are noted (kernel/linux/strace/strace.h), or if it is
	 * debugged (kernel/linux/debug/debug.h). rcx and the flags are the same in either case. */
	.macro OBSERVE place, back
	movabs $(LAYOUT_DIRECT_MAP + LAYOUT_BOOT_INFO + ENTRY_BOOT_FLAGS), %rcx
	testl $(ENTRY_FLAG_STRACE | ENTRY_FLAG_DEBUG), (%rcx)
	jnz \place
\back:
	xor %ecx, %ecx
	.endm

	/* From the slow path of a stub, with the flags in ax by lahf and seto: builds the frame on the policies' stack.
	 * Nothing is written to the thread's stack until there is something to do. */
	.macro ENTER_POINT place, address
	add $0x7f, %al
	sahf
	mov %rsp, %rax
	movabs $(LAYOUT_DIRECT_MAP + LAYOUT_SCHED_STACK_TOP - 24), %rsp
	mov %rax, 16(%rsp) /* for unwinders (ask.S) */
	push $SELECTOR_RING3_DATA
	push %rax
	pushfq
	push $SELECTOR_RING3_CODE
	pushq \place
	push $0
	push $0
	pushq \address
	push %rdi
	push %rsi
	push %rdx
	push linux_point_rcx
	push linux_point_rax
	push %r8
	push %r9
	push %r10
	push %r11
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	.endm

	/* Moves that frame to the thread's kernel stack, and its new address to rdi. Keeps rax. */
	.macro LEAVE_POLICY_STACK
	mov thread_current, %rdi
	mov THREAD_KERNEL_STACK(%rdi), %rdi
	sub $FRAME_BYTES, %rdi
	mov %rdi, %rdx
	mov %rsp, %rsi
	mov $(FRAME_BYTES / 8), %ecx
	rep movsq
	mov %rdx, %rsp
	mov %rdx, %rdi
	.endm

	.macro CFI_FRAME
	.cfi_signal_frame
	.cfi_def_cfa rsp, 184
	.cfi_offset rip, -40
	.cfi_offset rsp, -16
	.cfi_offset rbp, -144
	.cfi_offset rbx, -136
	.cfi_offset r12, -152
	.cfi_offset r13, -160
	.cfi_offset r14, -168
	.cfi_offset r15, -176
	.endm

	/* Entered from gate_syscall. */
	.globl entry_syscall
	.hidden entry_syscall
	.type entry_syscall, @function
	.balign 16
entry_syscall:
	ENTER LINUX_BY_TRAP, "pushq syscall_flags"
	movabs $LAYOUT_DIRECT_MAP + LAYOUT_STATS + STATS_TRAPPED_CALLS, %rcx
	incq (%rcx)
	jmp linux_call
	.size entry_syscall, . - entry_syscall

	/* From a patched place: rcx is the address in the stub to continue at. */
	.globl entry_jump
	.hidden entry_jump
	.type entry_jump, @function
	.balign 16
entry_jump:
	mov %rsp, %r11
	ENTER LINUX_BY_JUMP, pushfq
	CLEAR_NESTED_TASK

	.type linux_call, @function
linux_call:
	.cfi_startproc
	CFI_FRAME
	cld
	OBSERVE 6f, 5
	cmp $LINUX_CALLS, %rax
	jae 2f
	mov linux_calls(, %rax, 8), %rax
	test %rax, %rax
	jz 2f
	mov %r10, %rcx
	call *%rax
1:	mov %rax, FRAME_RAX(%rsp)
	OBSERVE 8f, 7
	mov %rsp, %rdi
	call dispatch_call_ends
	test %al, %al
	jnz trap_return
	/* Only rax has changed: registers that a function preserves are intact. Of the flags OF is lost, which no call
	 * promises to preserve. DF, which a function requires clear, and NT are hardly ever set. */
	mov FRAME_RDI(%rsp), %rdi
	mov FRAME_RSI(%rsp), %rsi
	mov FRAME_RDX(%rsp), %rdx
	mov FRAME_R8(%rsp), %r8
	mov FRAME_R9(%rsp), %r9
	mov FRAME_R10(%rsp), %r10
	mov FRAME_RFLAGS(%rsp), %rax
	mov %rax, %r11
	test $(FLAG_DF | FLAG_NT), %eax
	jnz 4f
3:	mov %al, %ah
	sahf
	mov FRAME_RIP(%rsp), %rcx
	mov FRAME_RAX(%rsp), %rax
	mov FRAME_RSP(%rsp), %rsp
	jmp *%rcx
2:	mov %rsp, %rdi
	call dispatch_call_unknown
	jmp 1b
4:	pushfq
	and $(FLAG_DF | FLAG_NT), %eax
	or %eax, (%rsp)
	popfq
	mov %r11, %rax
	jmp 3b
6:	testl $ENTRY_FLAG_DEBUG, (%rcx)
	lea 5b(%rip), %rcx
	jnz debug_enter_begin
	jmp strace_enter_begin
8:	testl $ENTRY_FLAG_DEBUG, (%rcx)
	lea 7b(%rip), %rcx
	jnz debug_enter_end
	jmp strace_enter_end
	.cfi_endproc
	.size linux_call, . - linux_call

	/* From a stub: rdx is the address to continue at. rdx and rbx are free, because cpuid does not read them. */
	.type linux_cpuid_entry, @function
	.balign 16
linux_cpuid_entry:
	mov %rsp, %rbx
	ENTER 0, pushfq, %rbx, %rdx
	.cfi_startproc
	CFI_FRAME
	CLEAR_NESTED_TASK
	cld
	mov %rsp, %rdi
	call cpu_cpuid
	jmp trap_return
	.cfi_endproc
	.size linux_cpuid_entry, . - linux_cpuid_entry

	/* From a stub of rdtsc or rdtscp: rdx is the address to continue at. rax and rdx are free, because the instruction
	 * sets them. The frame keeps its vector, by which spin.c knows a loop of such reads. */
	.macro STAMP is_rdtscp
	mov %rsp, %rax
	mov thread_current, %rsp
	mov THREAD_KERNEL_STACK(%rsp), %rsp
	push $SELECTOR_RING3_DATA
	push %rax
	pushfq
	push $SELECTOR_RING3_CODE
	push %rdx
	push $0
	lea -8(%rsp), %rsp
	push $0
	SAVE_REGISTERS
	mov $\is_rdtscp, %esi
	jmp linux_stamp
	.endm

	.type linux_rdtsc_entry, @function
	.balign 16
linux_rdtsc_entry:
	STAMP 0
	.size linux_rdtsc_entry, . - linux_rdtsc_entry

	.type linux_rdtscp_entry, @function
	.balign 16
linux_rdtscp_entry:
	STAMP 1
	.size linux_rdtscp_entry, . - linux_rdtscp_entry

	.type linux_stamp, @function
linux_stamp:
	.cfi_startproc
	CFI_FRAME
	CLEAR_NESTED_TASK
	cld
	mov %rsp, %rdi
	call spin_stamp_read
	test %al, %al
	jnz trap_return
	testl $(FLAG_DF | FLAG_NT), FRAME_RFLAGS(%rsp)
	jnz trap_return
	/* Only rax, rcx and rdx have changed, and what a function does not preserve. The jump goes through memory, because
	 * every register is in use. */
	mov FRAME_RIP(%rsp), %rax
	mov %rax, linux_stamp_back
	mov FRAME_RFLAGS(%rsp), %rax
	mov %eax, %ecx
	mov %al, %ah
	shr $11, %ecx
	and $1, %ecx
	mov %cl, %al
	mov FRAME_RDI(%rsp), %rdi
	mov FRAME_RSI(%rsp), %rsi
	mov FRAME_RDX(%rsp), %rdx
	mov FRAME_RCX(%rsp), %rcx
	mov FRAME_R8(%rsp), %r8
	mov FRAME_R9(%rsp), %r9
	mov FRAME_R10(%rsp), %r10
	mov FRAME_R11(%rsp), %r11
	add $0x7f, %al
	sahf
	mov FRAME_RAX(%rsp), %rax
	mov FRAME_RSP(%rsp), %rsp
	jmp *linux_stamp_back
	.cfi_endproc
	.size linux_stamp, . - linux_stamp

	/* From the stub of an instruction that saves or restores the processor's state: rcx is the address to continue
	 * at, and the stub has saved rax and rcx. */
	.type linux_state_entry, @function
	.balign 16
linux_state_entry:
	mov %rsp, %rax
	ENTER 0, pushfq, %rax, %rcx
	.cfi_startproc
	CFI_FRAME
	CLEAR_NESTED_TASK
	mov linux_point_rax, %rax
	mov %rax, FRAME_RAX(%rsp)
	mov linux_point_rcx, %rcx
	mov %rcx, FRAME_RCX(%rsp)
	cld
	mov %rsp, %rdi
	call patch_state
	jmp trap_return
	.cfi_endproc
	.size linux_state_entry, . - linux_state_entry

	.globl entry_pause
	.hidden entry_pause
	.type entry_pause, @function
	.balign 16
entry_pause:
	.cfi_startproc
	CFI_FRAME
	mov %rsp, %rdi
	call dispatch_pause
	jmp trap_return
	.cfi_endproc
	.size entry_pause, . - entry_pause

	.globl entry_main
	.hidden entry_main
	.type entry_main, @function
	.balign 16
entry_main:
	.cfi_startproc
	CFI_FRAME
	xor %edi, %edi
	call begin_reached
	jmp trap_return
	.cfi_endproc
	.size entry_main, . - entry_main

	.globl entry_spin
	.hidden entry_spin
	.type entry_spin, @function
	.balign 16
entry_spin:
	.cfi_startproc
	CFI_FRAME
	mov %rsp, %rdi
	call linux_spin
	jmp trap_return
	.cfi_endproc
	.size entry_spin, . - entry_spin

	/* Entered from the stub of a point. rcx is the address of its struct stub_point; ax has the flags, by lahf and
	 * seto. All registers are saved in a frame on the policies' stack. Nothing is written to the thread's stack
	 * until there is something to do. */
	.globl entry_decision_point
	.hidden entry_decision_point
	.type entry_decision_point, @function
	.balign 16
entry_decision_point:
	.cfi_startproc
	.cfi_undefined rip
	ENTER_POINT (%rcx), %rcx
	CFI_FRAME
	CLEAR_NESTED_TASK
	cld
	mov %rsp, %rdi
	mov %rcx, %rsi
	call linux_point_asked
	test %rax, %rax
	jnz 1f
	mov FRAME_R11(%rsp), %r11
	mov FRAME_R10(%rsp), %r10
	mov FRAME_R9(%rsp), %r9
	mov FRAME_R8(%rsp), %r8
	mov FRAME_RDX(%rsp), %rdx
	mov FRAME_RSI(%rsp), %rsi
	mov FRAME_RDI(%rsp), %rdi
	mov FRAME_RIP(%rsp), %rcx
	lea FRAME_RFLAGS(%rsp), %rsp
	popfq
	pop %rsp
	mov linux_point_rax, %rax
	lea -LINUX_POINT_LAST_BYTES(%rcx), %rcx
	jmp *%rcx
1:	LEAVE_POLICY_STACK
	mov %rax, %rsi
	call linux_point_act
	jmp trap_return
	.cfi_endproc
	.size entry_decision_point, . - entry_decision_point

	/* Entered from the stub of a place that counts time. rcx is the address to continue at; otherwise as
	 * entry_decision_point. */
	.type entry_tick, @function
	.balign 16
entry_tick:
	.cfi_startproc
	.cfi_undefined rip
	ENTER_POINT %rcx, $0
	CFI_FRAME
	CLEAR_NESTED_TASK
	cld
	mov %rsp, %rdi
	call linux_tick_asked
	test %rax, %rax
	jz trap_return
	LEAVE_POLICY_STACK
	mov %rax, %rsi
	call linux_tick_act
	jmp trap_return
	.cfi_endproc
	.size entry_tick, . - entry_tick

	.section .rodata
	.balign 8
	.globl linux_point_target
	.hidden linux_point_target
linux_point_target:
	.quad entry_decision_point

	.globl linux_tick_target
	.hidden linux_tick_target
linux_tick_target:
	.quad entry_tick

	.globl linux_cpuid_target
	.hidden linux_cpuid_target
linux_cpuid_target:
	.quad linux_cpuid_entry

	.globl linux_rdtsc_target
	.hidden linux_rdtsc_target
linux_rdtsc_target:
	.quad linux_rdtsc_entry

	.globl linux_rdtscp_target
	.hidden linux_rdtscp_target
linux_rdtscp_target:
	.quad linux_rdtscp_entry

	.globl linux_state_target
	.hidden linux_state_target
linux_state_target:
	.quad linux_state_entry

/* What a point on the processor keeps of its thread (kernel/lib/per_processor.h). */
	.section .data.processor, "aw"
	.balign 8
	.globl linux_point_rax
	.hidden linux_point_rax
linux_point_rax:
	.skip 8
	.globl linux_point_rcx
	.hidden linux_point_rcx
linux_point_rcx:
	.skip 8
linux_stamp_back:
	.skip 8

	.section .text.gate, "ax"
/* _Noreturn void entry_resume(const struct trap_frame *frame, const void *vector): a new thread begins. */
	.globl entry_resume
	.hidden entry_resume
	.type entry_resume, @function
	.balign 16
entry_resume:
	fxrstor64 (%rsi)
	push %rdi
	mov %rsi, %rdi
	call cpu_restore_upper
	pop %rsp
	jmp trap_return
	.size entry_resume, . - entry_resume

/* void entry_context_switch(uint64_t *save, uint64_t load) is context_switch for Linux programs, whose system calls
 * keep the vector registers, which are the thread's own. */
	.text
	.globl entry_context_switch
	.hidden entry_context_switch
	.type entry_context_switch, @function
	.balign 16
entry_context_switch:
	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register rbp
	push %rbx
	.cfi_offset rbx, -24
	sub $(CPU_VECTOR_BYTES + 8), %rsp
	and $-16, %rsp
	mov %rsp, %rbx
	fxsave64 (%rbx)
	SETTLE_FXSAVE %rbx
	movb $0, CPU_FXSAVE_BYTES(%rbx)
	HAS_UPPER %rax
	jz 1f
	SAVE_UPPER %rbx
	call cpu_wide_begun
	jnz context_save_wide
context_wide_saved:
	TEST_UPPER %rbx
	jz 2f
	orb $CPU_STATE_AVX, CPU_FXSAVE_BYTES(%rbx)
	jmp 2f
1:	SAVE_NO_UPPER %rbx, ax
2:	xor %eax, %eax /* the same flags in both cases, because they get into memory */
	call context_switch
	call process_resume
	fxrstor64 (%rbx)
	call cpu_wide_begun /* in any case: its address stays on the stack */
	setnz %cl
	HAS_UPPER %rax
	jz 2f
	testb $CPU_STATE_AVX, CPU_FXSAVE_BYTES(%rbx)
	jnz 1f
	vzeroupper
	jmp 3f
1:	LOAD_UPPER %rbx
3:	testb $CPU_STATE_WIDE, CPU_FXSAVE_BYTES(%rbx)
	jnz context_load_wide
	test %cl, %cl
	jnz context_clear_wide
2:	mov -8(%rbp), %rbx
	leave
	.cfi_def_cfa rsp, 8
	ret
	.cfi_endproc
	.size entry_context_switch, . - entry_context_switch

/* For a thread that has used AVX-512. State that is all zero is not saved, so that memory does not depend on whether
 * the processor knows that its state is the reset state. For the same reason the scratch area is zero before and
 * after. */
	.bss
	.balign 64
wide_scratch:
	.skip CPU_WIDE_BYTES

	.section .text.gate, "ax"
	.cfi_startproc
	.cfi_def_cfa rbp, 16
	.cfi_offset rbp, -16
	.cfi_offset rbx, -24
	.type context_save_wide, @function
context_save_wide:
	mov $wide_scratch, %rdx
	SAVE_WIDE %rdx
	TEST_WIDE %rdx
	jz context_wide_saved
	mov %rdi, %r8
	mov %rsi, %r9
	sub $CPU_WIDE_BYTES, %rsp
	mov %rdx, %rsi
	mov %rsp, %rdi
	mov $(CPU_WIDE_BYTES / 8), %ecx
	rep movsq
	xor %eax, %eax
	mov %rdx, %rdi
	mov $(CPU_WIDE_BYTES / 8), %ecx
	rep stosq
	mov %r8, %rdi
	mov %r9, %rsi
	orb $CPU_STATE_WIDE, CPU_FXSAVE_BYTES(%rbx)
	jmp context_wide_saved
context_load_wide:
	LOAD_WIDE %rsp
	jmp 2b
context_clear_wide:
	CLEAR_WIDE
	jmp 2b
	.cfi_endproc
	.size context_save_wide, . - context_save_wide

	.section .note.GNU-stack, "", @progbits
