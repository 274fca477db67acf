/* SPDX-License-Identifier: MIT */
/* Decision points of libc: places at which another thread may take over (abi/sched.h). */
#ifndef KERNEL_SYS_POINT_H
#define KERNEL_SYS_POINT_H

#include "abi/layout.h"
#include "abi/sched.h"

/**
 * Passes a decision point before `op`, which must be a constant, on an object that others can see. Another thread may
 * run meanwhile. Costs a nanosecond. The caller is compiled with -mno-red-zone.
 *
 * No register may hold the counter: it differs between a run and its replay.
 */
static inline __attribute__((always_inline)) void kernel_point(enum sched_op op, const void *object)
{
	struct sched_shared *shared = (struct sched_shared *)(LAYOUT_DIRECT_MAP + LAYOUT_SCHED);
	__asm__ volatile("decq %[left]\n\t"
	                 "jns 1f\n\t"
	                 "mov %[op], %%eax\n\t"
	                 "call kernel_point_taken\n"
	                 "1:"
	                 : [left] "+m"(shared->points_left)
	                 : [op] "i"((int)op), "d"(object)
	                 : "rax", "cc", "memory");
}

#endif
