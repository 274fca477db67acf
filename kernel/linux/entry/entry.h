/* SPDX-License-Identifier: MIT */
/* What entry.S and the code around it agree on. */
#ifndef KERNEL_LINUX_ENTRY_ENTRY_H
#define KERNEL_LINUX_ENTRY_ENTRY_H

#include "abi/linux_calls.h"

/* struct thread, kernel_stack */
#define THREAD_KERNEL_STACK 56

/* struct run_stats, trapped_calls */
#define STATS_TRAPPED_CALLS 4176

/* trap_frame.vector of a system call: by which way it came; trap_frame.error_code is its number. */
#define LINUX_BY_TRAP 0x80
#define LINUX_BY_JUMP 0x81

/* Bytes from where a call is made to where it goes on: the instruction's, and a stub's (patch.c). */
#define LINUX_TRAP_BYTES 2
#define LINUX_JUMP_BYTES 13

/* The same of a stub of cpuid. */
#define LINUX_CPUID_BYTES 14

/* Bytes of a point's stub before its instruction, without what was moved there, and of all of it but the instructions
 * (stub.c). */
#define LINUX_POINT_COUNT_BYTES 68
#define LINUX_POINT_BYTES (LINUX_POINT_COUNT_BYTES + 5 + 14 + 16)

/* Of those, from where rcx is restored on. */
#define LINUX_POINT_LAST_BYTES 8

#ifndef __ASSEMBLER__

#include <stdbool.h>

#include "kernel/arch/trap.h"
#include "kernel/sched/thread.h"

/** By number: the kernel call, or NULL. */
extern const void *const linux_calls[LINUX_CALLS];

/** The name of a system call of Linux; NULL: there is none of that number. */
const char *linux_call_name(unsigned number);

/** A call has returned, its result in frame->rax. Whether the frame must be returned to as a whole. */
bool linux_call_ends(struct trap_frame *frame);

/** A call that there is none of. Its result, unless the run ends. */
long linux_call_unknown(struct trap_frame *frame);

/** Where a patched system call jumps to. */
void linux_jump_entry(void);

/** Where a stub of cpuid jumps to (entry.S). */
extern const uint64_t linux_cpuid_target;

/** Answers there: the registers that the instruction sets. */
void linux_cpuid(struct trap_frame *frame);

/** What a stub of a point saves while it counts, and where it jumps to when somebody is to be asked (entry.S). */
extern uint64_t linux_point_rax, linux_point_rcx;
extern const uint64_t linux_point_target;

/** Where a system call by its instruction goes on, with the place behind it in rcx, the stack pointer in r11, and what
 * the flags were here. */
void syscall_entry(void);
extern uint64_t syscall_flags;

/** Where a `pause` goes on, with its frame at the stack pointer. */
void linux_pause_entry(void);

/** From there: another thread may go on first. */
void linux_pause(struct trap_frame *frame);

/** Where a thread goes on that makes way (spin.h), likewise. */
void linux_spin_entry(void);

/** Continues at a frame, with vector registers that cpu_save_vector has saved. */
_Noreturn void linux_resume(const struct trap_frame *frame, const void *vector);

/** The registers with which a thread made its system call. */
static inline struct trap_frame *linux_frame(const struct thread *thread)
{
	return (struct trap_frame *)thread->kernel_stack - 1;
}

/** Has the call that runs return to the whole of its frame, which it has changed. */
static inline void linux_frame_changed(struct trap_frame *frame)
{
	frame->vector = 0;
}

#endif
#endif
