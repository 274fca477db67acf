/* SPDX-License-Identifier: MIT */
/* The registers of a thread as Linux shows them to debuggers. */
#ifndef KERNEL_LINUX_PROCESS_USER_REGISTERS_H
#define KERNEL_LINUX_PROCESS_USER_REGISTERS_H

#include <stdint.h>

#include "kernel/arch/trap.h"
#include "kernel/sched/thread.h"

/** struct user_regs_struct of sys/user.h. */
struct user_registers {
	uint64_t r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi, orig_rax, rip, cs, eflags,
		rsp, ss, fs_base, gs_base, ds, es, fs, gs;
};

_Static_assert(sizeof(struct user_registers) == 216, "user_regs_struct");

/** The registers of a thread that has this frame, inside or outside of a system call. The address space is the
 * thread's. */
struct user_registers user_registers_of(const struct thread *thread, const struct trap_frame *frame);

#endif
