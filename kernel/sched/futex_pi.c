/* SPDX-License-Identifier: MIT */
/* Futexes with a holder. The word has the owner's number, and FUTEX_WAITERS from the time that a thread waits in the
 * kernel: the next owner then frees the lock by a call. */
#include "kernel/sched/futex_pi.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/sched/futex.h"
#include "kernel/sched/sched.h"

/* Maximum length of a chain of locks whose holders wait for the next one, as on Linux. */
#define CHAIN_MAX 1024

/* Takes a free lock for a thread. */
static int take_lock(uint32_t *word, uint32_t now, const struct thread *thread, bool others_wait)
{
	return futex_store(word, thread->tid | (now & FUTEX_OWNER_DIED) | (others_wait ? FUTEX_WAITERS : 0));
}

/* Whether a chain of owners that wait for each other's locks leads from `owner` to the thread. */
static bool is_waited_for(const struct thread *thread, uint32_t owner)
{
	for (unsigned i = 0; i < CHAIN_MAX && owner != thread->tid; i++) {
		const struct thread *next = thread_find(owner);
		if (!next || next->state != THREAD_WAITING || next->futex_kind != FUTEX_LOCK ||
		    futex_load(next->futex, &owner))
			return false;
		owner &= FUTEX_TID;
	}
	return true;
}

int futex_pi_lock(uint32_t *word, uint64_t deadline_ns, bool wait)
{
	uint32_t now;
	if (futex_load(word, &now))
		return -EFAULT;
	if ((now & FUTEX_TID) == thread_current->tid)
		return -EDEADLK;
	/* Misuse: a thread waits on the word for something else, or for a lock whose holder the program has
	 * overwritten. */
	if (futex_is_misused(word, now & FUTEX_TID ? FUTEX_LOCK : FUTEX_NONE))
		return -EINVAL;
	if ((now & FUTEX_TID) == 0)
		return take_lock(word, now, thread_current, false);
	if (!thread_find(now & FUTEX_TID))
		return -ESRCH;
	if (!wait)
		return -EAGAIN;
	if (is_waited_for(thread_current, now & FUTEX_TID))
		return -EDEADLK;
	if (futex_store(word, now | FUTEX_WAITERS))
		return -EFAULT;
	return futex_sleep(word, deadline_ns, FUTEX_ANY_BITS, FUTEX_LOCK, NULL);
}

/* Passes a lock to a waiter, or frees it. */
static int hand_on(uint32_t *word, uint32_t died)
{
	struct thread *next;
	while ((next = futex_choose(word, FUTEX_LOCK)) && !sched_wake_is_in_time(next))
		;
	if (!next)
		return futex_store(word, died);
	if (futex_store(word, next->tid | FUTEX_WAITERS | died))
		return -EFAULT;
	sched_wake(next, 0);
	return 0;
}

int futex_pi_unlock(uint32_t *word)
{
	uint32_t now;
	if (futex_load(word, &now))
		return -EFAULT;
	if ((now & FUTEX_TID) != thread_current->tid)
		return -EPERM;
	return futex_is_misused(word, FUTEX_LOCK) ? -EINVAL : hand_on(word, 0);
}

int futex_pi_wait_requeue(uint32_t *word, uint32_t value, uint64_t deadline_ns, uint32_t bits, uint32_t *target)
{
	uint32_t now;
	if (word == target)
		return -EINVAL;
	if (futex_load(word, &now))
		return -EFAULT;
	if (now != value)
		return -EAGAIN;
	return futex_sleep(word, deadline_ns, bits, FUTEX_TO_MOVE, target);
}

int futex_pi_requeue(uint32_t *word, uint32_t *target, unsigned move)
{
	unsigned count = futex_waiters(word, FUTEX_TO_MOVE, UINT32_MAX), done = 0;
	if (futex_is_misused(word, FUTEX_TO_MOVE))
		return -EINVAL;
	for (; done < count && done <= move; done++) {
		uint32_t now;
		struct thread *thread = futex_choose(word, FUTEX_TO_MOVE);
		if (thread->futex_target != target)
			return -EINVAL;
		if (futex_load(target, &now))
			return -EFAULT;
		if (done == 0 && (now & FUTEX_TID) == 0) {
			if (take_lock(target, now, thread, move > 0))
				return -EFAULT;
			sched_wake(thread, 0);
			continue;
		}
		if (is_waited_for(thread, now & FUTEX_TID))
			return -EDEADLK;
		if (futex_store(target, now | FUTEX_WAITERS))
			return -EFAULT;
		futex_move(thread, target, FUTEX_LOCK);
	}
	return (int)done;
}

/* The word of a lock that the thread holds and another waits for; NULL: no such lock. */
static uint32_t *find_held_word(const struct thread *holder)
{
	for (struct thread *thread = thread_first(); thread; thread = thread->after) {
		uint32_t now;
		if (thread->futex_kind == FUTEX_LOCK && !futex_load(thread->futex, &now) &&
		    (now & FUTEX_TID) == holder->tid)
			return (uint32_t *)thread->futex;
	}
	return NULL;
}

void futex_pi_exit(const struct thread *thread)
{
	uint32_t *word;
	while (futex_is_pi_used() && (word = find_held_word(thread)))
		if (hand_on(word, FUTEX_OWNER_DIED))
			return;
}
