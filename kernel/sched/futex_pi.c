/* SPDX-License-Identifier: MIT */
/* The word holds the owner's number, and FUTEX_WAITERS while somebody waits in the kernel. */
#include "kernel/sched/futex_pi.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/sched/futex.h"
#include "kernel/sched/sched.h"

/* Takes a lock that nobody holds for a thread. */
static int take(uint32_t *word, uint32_t now, const struct thread *thread)
{
	return futex_store(word, thread->tid | (now & (FUTEX_OWNER_DIED | FUTEX_WAITERS)));
}

int futex_pi_lock(uint32_t *word, uint64_t deadline_ns, bool wait)
{
	uint32_t now;
	if (futex_load(word, &now))
		return -EFAULT;
	if ((now & FUTEX_TID) == 0)
		return take(word, now, thread_current);
	if ((now & FUTEX_TID) == thread_current->tid)
		return -EDEADLK;
	if (!thread_find(now & FUTEX_TID))
		return -ESRCH;
	if (!wait)
		return -EAGAIN;
	if (futex_store(word, now | FUTEX_WAITERS))
		return -EFAULT;
	return futex_sleep(word, deadline_ns, FUTEX_ANY_BITS, true, NULL);
}

/* Hands a lock to one who waits for it, or to nobody. */
static int hand_on(uint32_t *word, uint32_t died)
{
	struct thread *next;
	while ((next = futex_choose(word, true)) && !sched_wake_is_in_time(next))
		;
	if (!next)
		return futex_store(word, died);
	uint32_t waiters = futex_waiters(word, true, 2) > 1 ? FUTEX_WAITERS : 0;
	if (futex_store(word, next->tid | waiters | died))
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
	return hand_on(word, 0);
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
	return futex_sleep(word, deadline_ns, bits, false, target);
}

int futex_pi_requeue(uint32_t *word, uint32_t *target, unsigned move)
{
	unsigned count = futex_waiters(word, false, UINT32_MAX), done = 0;
	for (; done < count && done <= move; done++) {
		uint32_t now;
		struct thread *thread = futex_choose(word, false);
		if (thread->futex_target != target)
			return -EINVAL;
		if (futex_load(target, &now))
			return -EFAULT;
		if (done == 0 && (now & FUTEX_TID) == 0) {
			if (take(target, now, thread))
				return -EFAULT;
			sched_wake(thread, 0);
			continue;
		}
		if (futex_store(target, now | FUTEX_WAITERS))
			return -EFAULT;
		futex_move(thread, target, true);
	}
	return (int)done;
}

/* The word of a lock that somebody waits for and the thread holds; NULL: there is none. */
static uint32_t *find_held(const struct thread *holder)
{
	for (struct thread *thread = thread_first(); thread; thread = thread->after) {
		uint32_t now;
		if (thread->futex && thread->futex_pi && !futex_load(thread->futex, &now) &&
		    (now & FUTEX_TID) == holder->tid)
			return (uint32_t *)thread->futex;
	}
	return NULL;
}

void futex_pi_exit(const struct thread *thread)
{
	uint32_t *word;
	while (futex_is_pi_used() && (word = find_held(thread)))
		if (hand_on(word, FUTEX_OWNER_DIED))
			return;
}
