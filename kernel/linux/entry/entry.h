/* SPDX-License-Identifier: MIT */
/* Constants and functions that entry.S shares with the C code around it. */
#ifndef KERNEL_LINUX_ENTRY_ENTRY_H
#define KERNEL_LINUX_ENTRY_ENTRY_H

#include "abi/linux_calls.h"

/* Offset of struct thread, kernel_stack. */
#define THREAD_KERNEL_STACK 56

/* Offset of struct run_stats, trapped_calls. */
#define STATS_TRAPPED_CALLS 4176

/* Offset of struct boot_info, flags; and BOOT_FLAG_STRACE and BOOT_FLAG_DEBUG. */
#define ENTRY_BOOT_FLAGS 12
#define ENTRY_FLAG_STRACE 262144
#define ENTRY_FLAG_DEBUG 524288

/* trap_frame.vector of a system call: how it entered the kernel. trap_frame.error_code is its number. */
#define LINUX_BY_TRAP 0x80
#define LINUX_BY_JUMP 0x81

/* Bytes from the start of a call to the address where it continues: of the instruction, and of the jump in a stub
 * (patch.c). */
#define LINUX_TRAP_BYTES 2
#define LINUX_JUMP_BYTES 13

/* The same distance in a stub of cpuid, rdtsc or rdtscp. */
#define LINUX_ANSWER_BYTES 14

/* The same distance in a stub of xgetbv. */
#define LINUX_XGETBV_BYTES 43

/* The same distance in a stub of an instruction that saves or restores the processor's state. */
#define LINUX_STATE_BYTES 30

/* Sizes in the stub of a decision point: the part before its instruction, without moved instructions, and all of it
 * without instructions (stub.c). */
#define LINUX_POINT_COUNT_BYTES 68
#define LINUX_POINT_BYTES (LINUX_POINT_COUNT_BYTES + 5 + 14 + 16)

/* The last part of LINUX_POINT_COUNT_BYTES, which starts at the instruction that restores rcx. */
#define LINUX_POINT_LAST_BYTES 8

/* Sizes in the stub of a place that counts time: the part before the instructions, where the flags are unused, where
 * they are not, and of an instruction that is charged by its count; and that for a countdown that has run out, where
 * the flags are unused and otherwise (stub.c). */
#define LINUX_TICK_COUNT_BYTES 14
#define LINUX_TICK_FLAGS_COUNT_BYTES 37
#define LINUX_TICK_COUNTED_BYTES 57
#define LINUX_TICK_SLOW_BYTES 32
#define LINUX_TICK_FLAGS_SLOW_BYTES 22

#ifndef __ASSEMBLER__

#include <stdbool.h>

#include "kernel/arch/trap.h"
#include "kernel/sched/thread.h"

/** The kernel call of each number, or NULL. */
extern const void *const linux_calls[LINUX_CALLS];

/** The name of a Linux system call; NULL for an unknown number. */
const char *dispatch_call_name(unsigned number);

/** Ends a call whose result is in frame->rax. Returns whether the whole frame must be restored. */
bool dispatch_call_ends(struct trap_frame *frame);

/** An unimplemented system call. Returns its result, or ends the run. */
long dispatch_call_unknown(struct trap_frame *frame);

/** Target of the jump of a patched system call. */
void entry_jump(void);

/** Targets of the jumps in stubs of cpuid, rdtsc and rdtscp (entry.S). */
extern const uint64_t linux_cpuid_target, linux_rdtsc_target, linux_rdtscp_target;

/** Computes the result of cpuid there: sets the registers that the instruction sets. */
void cpu_cpuid(struct trap_frame *frame);

/** Target of the jump in a stub of XSAVE or XRSTOR, and of an XGETBV that fails (entry.S). */
extern const uint64_t linux_state_target;

/** Emulates the instruction there. frame->rip is the address in the stub to continue at. */
void patch_state(struct trap_frame *frame);

/** Where a stub saves rax and rcx: the stub of a decision point while it counts, the stub of XSAVE or XRSTOR before its
 * jump. linux_point_target is where the stub of a decision point jumps when the policy is to be asked (entry.S). */
extern uint64_t linux_point_rax, linux_point_rcx;
extern const uint64_t linux_point_target;

/** Where the stub of a place that counts time jumps when the countdown has run out. rcx is the address to continue at,
 * and the rest as at a decision point. */
extern const uint64_t linux_tick_target;

/** personality.context_switch: also keeps the vector registers. */
void entry_context_switch(uint64_t *save, uint64_t load);

/** personality.syscall_entry: continues a system call made by its instruction. rcx is the address after it, r11 the
 * stack pointer, syscall_flags the flags. */
void entry_syscall(void);
extern uint64_t syscall_flags;

/** Continues a `pause`, with its frame at the stack pointer. */
void entry_pause(void);

/** Continues a program at main with a policy that starts there, with its frame at the stack pointer, on the policies'
 * stack. */
void entry_main(void);

/** Called from entry_pause: another thread may run first. */
void dispatch_pause(struct trap_frame *frame);

/** Continues a thread that gives way (spin.h), with its frame at the stack pointer. */
void entry_spin(void);

/** Continues at a frame, with the vector registers that cpu_save_vector has saved. */
_Noreturn void entry_resume(const struct trap_frame *frame, const void *vector);

/** The registers of a thread when it made its system call. */
static inline struct trap_frame *linux_frame(const struct thread *thread)
{
	return (struct trap_frame *)thread->kernel_stack - 1;
}

/** Makes the running call restore its whole frame, which it has changed. */
static inline void linux_frame_changed(struct trap_frame *frame)
{
	frame->vector = 0;
}

#endif
#endif
