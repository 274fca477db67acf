/* SPDX-License-Identifier: MIT */
/* Threads of Linux programs: clone(2). */
#ifndef KERNEL_LINUX_PROCESS_LINUX_THREAD_H
#define KERNEL_LINUX_PROCESS_LINUX_THREAD_H

#include <stdint.h>

/** Allocates a kernel stack for a thread. Returns its top, 0 without memory. */
uint64_t linux_thread_stack(void);

/** Frees the kernel stack of an ending thread, which still runs on it: another thread runs before the next stack is
 * allocated. */
void linux_thread_stack_give(uint64_t top);

#endif
