/* SPDX-License-Identifier: MIT */
/* Futexes (futex(2)): waiting on a word of the program's memory. The policy decides which of several waiters is woken.
 * Policies that leave it open wake the one that has waited longest. */
#ifndef KERNEL_SCHED_FUTEX_H
#define KERNEL_SCHED_FUTEX_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/thread.h"

#define FUTEX_ANY_BITS UINT32_MAX

/** Bits of a word that names the holder of a lock (linux/futex.h). */
#define FUTEX_TID 0x3fffffffU
#define FUTEX_OWNER_DIED 0x40000000U
#define FUTEX_WAITERS 0x80000000U

/** Waits while the word is `value`. Returns 0 when woken, -EAGAIN when the word has another value, -ETIMEDOUT, -EINTR
 * or -EFAULT. */
int futex_wait(uint32_t *word, uint32_t value, uint64_t deadline_ns, uint32_t bits);

/** Wakes up to `most` waiters that share a bit with `bits`. Returns their number, or -EINVAL if a thread waits there
 * for a lock. */
int futex_wake(const uint32_t *word, unsigned most, uint32_t bits);

/** Wakes up to `wake` waiters and moves up to `move` others to another word. Returns the number woken, and in *moved
 * the number moved; -EINVAL as futex_wake. */
int futex_requeue(const uint32_t *word, unsigned wake, uint32_t *target, unsigned move, unsigned *moved);

/** Reads or replaces a word of the program. Returns 0 or -EFAULT. */
int futex_load(const uint32_t *word, uint32_t *value);
int futex_store(uint32_t *word, uint32_t value);

/** Puts the running thread among the waiters of a word, as futex_wait does; libc's note gives the reason for reports.
 */
int futex_sleep(uint32_t *word, uint64_t deadline_ns, uint32_t bits, enum futex_kind kind, const uint32_t *target);

/** Counts the waiters of one kind on a word, up to `most`. */
unsigned futex_waiters(const uint32_t *word, enum futex_kind kind, unsigned most);

/** Whether a thread of another kind waits there: then the program misuses the word. */
bool futex_is_misused(const uint32_t *word, enum futex_kind kind);

/** The waiter of that kind to wake, chosen by the policy; NULL: no waiter. */
struct thread *futex_choose(const uint32_t *word, enum futex_kind kind);

/** Whether any thread waits for a lock, or to be moved to one. */
bool futex_is_pi_used(void);

/** Moves a waiter to another word. */
void futex_move(struct thread *thread, uint32_t *target, enum futex_kind kind);

#endif
