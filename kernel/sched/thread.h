/* SPDX-License-Identifier: MIT */
/* Threads: what the kernel knows of each. A thread runs, is ready, or waits; its kernel calls are on its own stack. */
#ifndef KERNEL_SCHED_THREAD_H
#define KERNEL_SCHED_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/sched.h"
#include "abi/thread.h"

enum thread_state {
	THREAD_READY, /**< runs, or is in the ready queue */
	THREAD_WAITING,
	THREAD_ENDED,
};

struct thread {
	struct thread *next, *previous; /**< in the ready queue or in a wait queue */
	uint32_t tid;
	uint32_t slot; /**< below THREADS_MAX, used again after its end */
	enum thread_state state;
	uint64_t stack_pointer; /**< while it does not run: of its context (context.S) */
	uint64_t fs_base;
};

#endif
