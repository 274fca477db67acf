/* SPDX-License-Identifier: MIT */
/* The segment registers of a thread: selectors of DS, ES, FS and GS, and the bases of FS and GS. */
#ifndef KERNEL_SCHED_THREAD_SEGMENTS_H
#define KERNEL_SCHED_THREAD_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/thread.h"

/** Updates the running thread's struct thread, because a program loads selectors without the kernel. Call it before
 * use of the thread's selectors or bases. */
void thread_segments_note(void);

/** The processor lacks RDFSBASE, and no engine replaces it. */
extern bool thread_segments_unreadable;

/** Loads the segment registers of a thread; `selectors`, `fs_base` and `gs_base` are those that the processor has. */
void thread_segments_load(const struct thread *next, uint64_t selectors, uint64_t fs_base, uint64_t gs_base);

/** Notes the segment registers of the running thread, and loads those of another thread. */
void thread_segments_switch(struct thread *previous, const struct thread *next);

/** Sets a base of the running thread, as arch_prctl(2) does: its selector is 0 afterwards. The caller has checked that
 * it is below 0x7ffffffff000. */
void thread_segments_set_fs(uint64_t base);
void thread_segments_set_gs(uint64_t base);

/** Sets all to 0, as at the start of a program. */
void thread_segments_clear(void);

#endif
