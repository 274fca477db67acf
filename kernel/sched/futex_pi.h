/* SPDX-License-Identifier: MIT */
/* Futexes whose word names the holder (futex(2), "Priority-inheritance futexes"): the kernel passes the lock on.
 * Priorities are not inherited, because only the chosen policy decides which thread runs. */
#ifndef KERNEL_SCHED_FUTEX_PI_H
#define KERNEL_SCHED_FUTEX_PI_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/thread.h"

/** Takes the lock, or waits for it. Returns 0, -EAGAIN (wait is false), -EDEADLK (a chain of holders that wait for each
 * other's locks leads back to the caller), -ESRCH, -ETIMEDOUT, -EINTR, -EFAULT, or -EINVAL: a thread waits there, but
 * not for a lock. */
int futex_pi_lock(uint32_t *word, uint64_t deadline_ns, bool wait);

/** Passes the lock to a waiter, if there is one. Returns 0, -EPERM (another thread holds it), -EFAULT, or -EINVAL as
 * futex_pi_lock. */
int futex_pi_unlock(uint32_t *word);

/** Waits on `word` until moved to `target`, and then for that lock. Returns 0 when it has the lock; errors as
 * futex_wait. */
int futex_pi_wait_requeue(uint32_t *word, uint32_t value, uint64_t deadline_ns, uint32_t bits, uint32_t *target);

/** Gives the lock at `target` to a waiter of `word`, or makes that waiter wait for the lock, and moves up to `move`
 * others. Returns their number; -EINVAL (a waiter there waits for another lock or for none), -EDEADLK as futex_pi_lock,
 * or -EFAULT. */
int futex_pi_requeue(uint32_t *word, uint32_t *target, unsigned move);

/** A thread that holds locks ends: each lock passes to a waiter, with FUTEX_OWNER_DIED. */
void futex_pi_exit(const struct thread *thread);

#endif
