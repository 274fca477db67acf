/* SPDX-License-Identifier: MIT */
/* Futexes that say who holds them (futex(2), "Priority-inheritance futexes"): the kernel hands the lock on. There is no
 * priority to inherit, because no policy but the one that is asked for decides who runs. */
#ifndef KERNEL_SCHED_FUTEX_PI_H
#define KERNEL_SCHED_FUTEX_PI_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/thread.h"

/**
 * Has the lock, or waits for it. 0, -EAGAIN (wait is false), -EDEADLK (its holder waits for one who holds a lock, and
 * so on, to the caller), -ESRCH, -ETIMEDOUT, -EINTR, -EFAULT, -EINVAL: somebody waits there, but not for a lock.
 */
int futex_pi_lock(uint32_t *word, uint64_t deadline_ns, bool wait);

/** Gives the lock to one who waits, if any does. 0, -EPERM: it is another's, -EFAULT, -EINVAL as futex_pi_lock. */
int futex_pi_unlock(uint32_t *word);

/** Waits on `word` until moved to `target`, and then for that lock. 0: has the lock; else as futex_wait. */
int futex_pi_wait_requeue(uint32_t *word, uint32_t value, uint64_t deadline_ns, uint32_t bits, uint32_t *target);

/**
 * Gives the lock at `target` to one who waits on `word`, or lets it wait for it, and up to `move` others. How many;
 * -EINVAL: somebody waits there for another lock or none, -EDEADLK as futex_pi_lock, -EFAULT.
 */
int futex_pi_requeue(uint32_t *word, uint32_t *target, unsigned move);

/** A thread that holds locks ends: each goes on to one who waits, with FUTEX_OWNER_DIED. */
void futex_pi_exit(const struct thread *thread);

#endif
