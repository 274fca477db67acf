/* SPDX-License-Identifier: MIT */
/* Waiting for files. Each waiter says what it waits for, and is woken only when that holds: by whoever made it so. */
#ifndef KERNEL_VFS_READINESS_H
#define KERNEL_VFS_READINESS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/thread.h"

/** Whether a waiter could go on now; it changes nothing. */
typedef bool (*readiness_test)(const void *context);

struct readiness_waiter {
	struct readiness_waiter *next, *previous;
	struct thread *thread;
	readiness_test test;
	const void *context;
};

/** Those who wait for the same, who has waited for longest at the front. All zero: empty. */
struct readiness_queue {
	struct readiness_waiter *first, *last;
};

/**
 * Waits until it is woken because test(context) holds, or until deadline_ns. 0: it is worth looking again, though
 * another may have been faster; -ETIMEDOUT; -EINTR: a signal.
 */
int readiness_wait(struct readiness_queue *queue, uint64_t deadline_ns, const char *what, readiness_test test,
                   const void *context);

/** Wakes one of those who can go on now, by the policy. Who is woken wakes the next one when it leaves something. */
void readiness_wake_one(const struct readiness_queue *queue);

/** Wakes all who can go on now. */
void readiness_wake_all(const struct readiness_queue *queue);

/** For whom a test is made; NULL: for the running thread. */
extern const struct thread *readiness_thread;

/** Where those wait who wait for several files (poll(2)). Woken after each change of a file. */
extern struct readiness_queue readiness_polling;

#endif
