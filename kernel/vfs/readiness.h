/* SPDX-License-Identifier: MIT */
/* Waiting for files. Each waiter has a test. The thread whose action makes the test true wakes the waiter. */
#ifndef KERNEL_VFS_READINESS_H
#define KERNEL_VFS_READINESS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/thread.h"

/** Whether a waiter could continue now. The test changes nothing. */
typedef bool (*readiness_test)(const void *context);

struct readiness_waiter {
	struct readiness_waiter *next, *previous;
	struct thread *thread;
	readiness_test test;
	const void *context;
};

/** Waiters for the same thing, the longest wait first. All zero: empty. */
struct readiness_queue {
	struct readiness_waiter *first, *last;
};

/** Waits until woken because test(context) holds, or until deadline_ns. Returns 0 when the caller should look again,
 * although another thread may have been faster; -ETIMEDOUT; -EINTR for a signal. */
int readiness_wait(struct readiness_queue *queue, uint64_t deadline_ns, const char *what, readiness_test test,
                   const void *context);

/** Wakes one waiter whose test holds, chosen by the policy. That waiter wakes the next one if it leaves something. */
void readiness_wake_one(const struct readiness_queue *queue);

/** Wakes all waiters whose test holds. */
void readiness_wake_all(const struct readiness_queue *queue);

/** The thread for which a test is made; NULL: the running thread. */
extern const struct thread *readiness_thread;

/** Waiters for several files (poll(2)). Woken after each change of a file. */
extern struct readiness_queue readiness_polling;

#endif
