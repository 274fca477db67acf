/* SPDX-License-Identifier: MIT */
/* Exceptions: the frame that trap.S builds, and its handler. */
#ifndef KERNEL_ARCH_TRAP_H
#define KERNEL_ARCH_TRAP_H

#include <stddef.h>
#include <stdint.h>

#define TRAP_DIVIDE_ERROR 0
#define TRAP_DEBUG 1
#define TRAP_BREAKPOINT 3
#define TRAP_OVERFLOW 4
#define TRAP_BOUND 5
#define TRAP_INVALID_OPCODE 6
#define TRAP_STACK_SEGMENT 12
#define TRAP_GENERAL_PROTECTION 13
#define TRAP_PAGE_FAULT 14
#define TRAP_X87 16
#define TRAP_ALIGNMENT 17
#define TRAP_SIMD 19
#define TRAP_SYSCALL 0x80 /* not a vector: a syscall instruction */

/** Registers at an exception, in the layout of trap.S. */
struct trap_frame {
	uint64_t r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi;
	uint64_t address; /**< CR2 of a page fault, else 0 */
	uint64_t vector;
	uint64_t error_code;
	uint64_t rip, cs, rflags, rsp, ss;
};

_Static_assert(offsetof(struct trap_frame, rflags) == 160, "FRAME_RFLAGS of trap.S");
_Static_assert(sizeof(struct trap_frame) == 23 * 8, "trap_frame matches trap.S");

/** Called by trap.S: handles the exception and changes the frame, to which trap.S returns, or ends the run.
 * kernel/main.c sets it to exception_handle at the start; no exception may come before. */
extern void (*trap_handler)(struct trap_frame *frame);

/** Return address of the kernel call of a program that is being stepped (step.S), and the address that the breakpoint
 * there has in its frame. */
extern const char step_return[], step_return_trap[];

/** Continues at the frame. */
_Noreturn void trap_resume(const struct trap_frame *frame);

/** The stacks of traps: where the processor puts their frames, and then the stack on which they are handled. */
extern uint8_t trap_memory[], trap_stack_top[];

#endif
