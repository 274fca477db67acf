/* SPDX-License-Identifier: MIT */
/* Futexes (futex(2)): waiting on a word of the program's memory. Which of several waiters is woken is the policy's
 * decision; under the policies that leave it open it is the one that has waited for longest. */
#ifndef KERNEL_SCHED_FUTEX_H
#define KERNEL_SCHED_FUTEX_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/thread.h"

#define FUTEX_ANY_BITS UINT32_MAX

/** The bits of a word that says who holds a lock (linux/futex.h). */
#define FUTEX_TID 0x3fffffffU
#define FUTEX_OWNER_DIED 0x40000000U
#define FUTEX_WAITERS 0x80000000U

/** Waits while the word is `value`. 0 when woken, -EAGAIN when it is another, -ETIMEDOUT, -EINTR, -EFAULT. */
int futex_wait(uint32_t *word, uint32_t value, uint64_t deadline_ns, uint32_t bits);

/** Wakes up to `most` of those who wait with one of the bits. How many; -EINVAL: somebody waits for a lock there. */
int futex_wake(const uint32_t *word, unsigned most, uint32_t bits);

/**
 * Wakes up to `wake` and lets up to `move` others wait on another word. How many woken, and in *moved how many moved;
 * -EINVAL as futex_wake.
 */
int futex_requeue(const uint32_t *word, unsigned wake, uint32_t *target, unsigned move, unsigned *moved);

/** Reads, or replaces if it is still `old`, a word. 0, -EFAULT, or -EAGAIN. Nothing else runs meanwhile. */
int futex_load(const uint32_t *word, uint32_t *value);
int futex_store(uint32_t *word, uint32_t value);

/** Puts the running thread among the waiters of a word, as futex_wait does, with a reason that libc's note gives. */
int futex_sleep(uint32_t *word, uint64_t deadline_ns, uint32_t bits, enum futex_kind kind, const uint32_t *target);

/** Those of a kind who wait on a word: how many, counted up to `most`. */
unsigned futex_waiters(const uint32_t *word, enum futex_kind kind, unsigned most);

/** Whether somebody of another kind waits there: then the word is not used as it ought to be. */
bool futex_is_misused(const uint32_t *word, enum futex_kind kind);

/** The one of them that is to be woken, by the policy; NULL: there is none. */
struct thread *futex_choose(const uint32_t *word, enum futex_kind kind);

/** Whether anybody waits for a lock, or to be moved to one. */
bool futex_is_pi_used(void);

/** Moves a waiter to another word. */
void futex_move(struct thread *thread, uint32_t *target, enum futex_kind kind);

#endif
