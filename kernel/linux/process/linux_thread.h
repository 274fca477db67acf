/* SPDX-License-Identifier: MIT */
/* Threads of Linux programs: clone(2). */
#ifndef KERNEL_LINUX_PROCESS_LINUX_THREAD_H
#define KERNEL_LINUX_PROCESS_LINUX_THREAD_H

#include <stdint.h>

/** A kernel stack for a thread: its top, 0 without memory. */
uint64_t linux_thread_stack(void);

/** Gives one back, which its thread, that ends, still runs on: another thread runs before a stack is asked for. */
void linux_thread_stack_give(uint64_t top);

#endif
