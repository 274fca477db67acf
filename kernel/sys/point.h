/* SPDX-License-Identifier: MIT */
/* Decision points: places where another thread may take over (abi/sched_op.h). */
#ifndef KERNEL_SYS_POINT_H
#define KERNEL_SYS_POINT_H

#include "abi/layout.h"
#include "abi/sched_op.h"
#include "abi/sched_shared.h"

/* Maximum number of bytes that a kernel call uses of its caller's stack (kernel.mk makes the compiler check the parts).
 * A decision point touches the stack that far down, so that a program whose stack overflows gets its signal before
 * anything is half done. It is less than a guard page. */
#define POINT_STACK_BYTES 2560

/* Stack that an operation needs. Operations that take a lock need more, so that whoever takes a lock has the stack to
 * release it. */
#define POINT_STACK_OF(op) \
	((op) == SCHED_OP_pthread_mutex_unlock || (op) == SCHED_OP_pthread_rwlock_unlock || \
	                 (op) == SCHED_OP_pthread_spin_unlock || (op) == SCHED_OP_sem_post \
	         ? POINT_STACK_BYTES \
	         : POINT_STACK_BYTES + 512)

/* A function that switches threads preserves no vector register; the kernel uses none. */
#ifdef __SSE2__
#define POINT_VECTORS \
	, "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", \
		"xmm13", "xmm14", "xmm15"
#else
#define POINT_VECTORS
#endif

#define POINT_LEFT (((struct sched_shared *)(LAYOUT_DIRECT_MAP + LAYOUT_SCHED))->points_left)

/** Passes a decision point before `op`, which must be a constant, on an object that other threads can see. Another
 * thread and signal handlers may run meanwhile. Costs a nanosecond. kernel/sched/ask.S says why this is not a call, and
 * why no register may hold the counter. An instruction that is not executed, before the address to continue at, encodes
 * the operation. rax and the flags have the same values afterwards whether the policy was asked or not: even unused
 * values reach memory when a thread is replaced. */
static inline __attribute__((always_inline)) void kernel_point(unsigned op, const void *object)
{
	__asm__ volatile("testb %%al, -%c[stack](%%rsp)\n\t"
	                 "decq %[left]\n\t"
	                 "jns 2f\n\t"
	                 "mov %[object], %%rax\n\t"
	                 "movabs %%rax, %P[saved_object]\n\t"
	                 "lea 2f(%%rip), %%rax\n\t"
	                 "jmp ask_point_taken\n\t"
	                 ".byte 0x0f, 0x1f, 0x80\n\t" /* nopl op(%rax) */
	                 ".long %c[op]\n"
	                 "2:\n\t"
	                 "xor %%eax, %%eax"
	                 : [left] "+m"(POINT_LEFT)
	                 : [op] "i"(op), [object] "r"(object), [stack] "i"(POINT_STACK_OF(op)),
	                   [saved_object] "i"(LAYOUT_DIRECT_MAP + LAYOUT_SCHED_SAVED + 8)
	                 : "rax", "cc", "memory" POINT_VECTORS);
}

#endif
