/* SPDX-License-Identifier: MIT */
/* Threads of Linux programs: clone(2). */
#ifndef KERNEL_LINUX_PROCESS_LINUX_THREAD_H
#define KERNEL_LINUX_PROCESS_LINUX_THREAD_H

#include <stdint.h>

#include "kernel/sched/thread.h"

/** Allocates a kernel stack for a thread. Returns its top, 0 without memory. */
uint64_t linux_thread_stack(void);

/** Frees the kernel stack of an ending thread, which still runs on it: another thread runs before the next stack is
 * allocated. */
void linux_thread_stack_give(uint64_t top);

/** Copies the vector registers of a living thread to an area of CPU_AREA_BYTES, aligned to 16 bytes. */
void linux_thread_vector(const struct thread *thread, uint8_t *area);

#endif
