/* SPDX-License-Identifier: MIT */
/* Robust futexes. The list is in the program's memory and may be broken or endless; as on Linux, the number of entries
 * visited is limited. */
#include "kernel/sched/robust.h"

#include "kernel/arch/uaccess.h"
#include "kernel/sched/futex.h"

#define ENTRIES_MAX 2048
#define ENTRY_PI 1UL

/** struct robust_list_head of linux/futex.h. */
struct head {
	uint64_t next;
	int64_t word_offset; /* from an entry to its word */
	uint64_t pending;    /* an entry that is being added or removed */
};

_Static_assert(sizeof(struct head) == ROBUST_HEAD_BYTES, "robust_list_head");

/* Marks one lock and wakes a waiter. False when its memory is not accessible. */
static bool mark(const struct thread *thread, uint64_t entry, const struct head *head, bool pending)
{
	uint32_t *word = (uint32_t *)((entry & ~ENTRY_PI) + (uint64_t)head->word_offset), now;
	bool pi = entry & ENTRY_PI;
	if ((uint64_t)word % sizeof(*word) || futex_load(word, &now))
		return false;
	if (pending && !pi && now == 0) { /* the lock is free, but its waiters were not woken yet */
		futex_wake(word, 1, FUTEX_ANY_BITS);
		return true;
	}
	if ((now & FUTEX_TID) != thread->tid)
		return true;
	if (pi && futex_waiters(word, FUTEX_LOCK, 1)) /* futex_pi_exit hands it on */
		return true;
	if (futex_store(word, (now & FUTEX_WAITERS) | FUTEX_OWNER_DIED))
		return false;
	if (!pi && (now & FUTEX_WAITERS))
		futex_wake(word, 1, FUTEX_ANY_BITS);
	return true;
}

void robust_exit(const struct thread *thread)
{
	struct head head;
	if (!thread->robust_list || copy_from_user(&head, (const void *)thread->robust_list, sizeof(head)))
		return;
	uint64_t entry = head.next;
	for (unsigned i = 0; i < ENTRIES_MAX && (entry & ~ENTRY_PI) != thread->robust_list; i++) {
		uint64_t next;
		/* Read first: the thread that is woken may free it. */
		bool more = !copy_from_user(&next, (const void *)(entry & ~ENTRY_PI), sizeof(next));
		if (entry != head.pending && !mark(thread, entry, &head, false))
			return;
		if (!more)
			return;
		entry = next;
	}
	if (head.pending)
		mark(thread, head.pending, &head, true);
}
