/* SPDX-License-Identifier: MIT */
/* -fpreempt=memory: gcc's -fsanitize=thread calls one of these before each load and store of memory that other threads
 * may see. Each is a decision point before the access. Atomic operations are in preempt_atomic.c.
 *
 * Neither file is compiled with ticks or hooks, so no other thread can run between a point and its access. */
#include <stddef.h>

#include "kernel/sys/point.h"

/* Hooks have no header: gcc knows them by name (sanitizer.def). */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define LOAD(name) \
	void __tsan_##name(const volatile void *at) \
	{ \
		kernel_point(SCHED_OP_load, (const void *)at); \
	}

#define STORE(name) \
	void __tsan_##name(volatile void *at) \
	{ \
		kernel_point(SCHED_OP_store, (const void *)at); \
	}

#define BY_SIZE(X, kind) X(kind##1) X(kind##2) X(kind##4) X(kind##8) X(kind##16)
#define UNALIGNED_BY_SIZE(X, kind) X(kind##2) X(kind##4) X(kind##8) X(kind##16)

/* clang-format off */
BY_SIZE(LOAD, read)
BY_SIZE(STORE, write)
BY_SIZE(LOAD, volatile_read)
BY_SIZE(STORE, volatile_write)
UNALIGNED_BY_SIZE(LOAD, unaligned_read)
UNALIGNED_BY_SIZE(STORE, unaligned_write)
UNALIGNED_BY_SIZE(LOAD, unaligned_volatile_read)
UNALIGNED_BY_SIZE(STORE, unaligned_volatile_write)
LOAD(vptr_read)
/* clang-format on */

void __tsan_vptr_update(void **at, const void *)
{
	kernel_point(SCHED_OP_store, at);
}

/* A structure, or an object whose size is no power of two, is one access. An empty range is none. */
void __tsan_read_range(const void *from, size_t bytes)
{
	if (bytes > 0)
		kernel_point(SCHED_OP_load, from);
}

void __tsan_write_range(void *to, size_t bytes)
{
	if (bytes > 0)
		kernel_point(SCHED_OP_store, to);
}

/* Constructors in each object file call the first one. Functions call the others unless --param disables it. */
void __tsan_init(void)
{
}

void __tsan_func_entry(const void *)
{
}

void __tsan_func_exit(void)
{
}
