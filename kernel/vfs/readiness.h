/* SPDX-License-Identifier: MIT */
/* Waiting for files: for one of them, by its own queue, and for any of several (poll(2)), by one queue for all. */
#ifndef KERNEL_VFS_READINESS_H
#define KERNEL_VFS_READINESS_H

#include <stdint.h>

#include "kernel/sched/thread.h"

/** Waits until readiness_changed on this queue. 0: it is worth looking again; -EINTR: a signal. */
int readiness_wait(struct thread_queue *queue, const char *what);

/** The same on any queue, or until deadline_ns. 0, -ETIMEDOUT or -EINTR. */
int readiness_wait_any(uint64_t deadline_ns, const char *what);

/** What a file can do has changed: those who wait for it, in its queue or for any file, look again. */
void readiness_changed(struct thread_queue *queue);

#endif
