/* SPDX-License-Identifier: MIT */
/* A hash table by thread and object, with linear probing, in the schedule area.
 *
 * While a thread is alone, nothing can run in between. Before it makes another thread, its points are counted as points
 * on no object. When all others have ended, they are left out, except stores: these may come before the others' end in
 * another schedule, if nobody waits for it, so the object counts as used once.
 *
 * When the table is nearly full, further pairs count as points on no object, and if that is not possible either, they
 * are only counted as lost. */
#include "kernel/sched/accesses.h"

#include "abi/sched_op.h"
#include "kernel/sched/arm.h"

#define USED_MAX (SCHED_ACCESSES / 4 * 3) /* probing stays short up to here */

/* The entry of a thread and an object. NULL: the table is full. */
static struct sched_access *access_entry(uint32_t thread, uint64_t object)
{
	struct sched_profile *profile = &sched_area()->profile;
	uint64_t hash = (object ^ (uint64_t)thread << 48) * 0x9e3779b97f4a7c15UL; /* Fibonacci hashing */
	unsigned at = (unsigned)(hash >> (64 - SCHED_ACCESSES_SHIFT));
	for (;; at = (at + 1) % SCHED_ACCESSES) {
		struct sched_access *entry = &profile->accesses[at];
		if (entry->thread == thread && entry->object == object)
			return entry;
		if (entry->thread)
			continue;
		if (profile->used >= USED_MAX)
			return NULL;
		profile->used++;
		entry->thread = thread;
		entry->object = object;
		return entry;
	}
}

/* Whether the order of operations on a thread is no race: its creation, its end and the join have one order. */
static bool is_ordered(uint64_t op)
{
	return op == SCHED_OP_pthread_create || op == SCHED_OP_pthread_join || op == SCHED_OP_pthread_exit;
}

/* Notes that a point with several threads is passed. The points are not settled yet. */
static void note_place(void)
{
	struct sched_profile *profile = &sched_area()->profile;
	profile->last = sched_shared()->decision + arm_points_passed() - profile->start;
	if (!profile->first)
		profile->first = profile->last;
}

void accesses_note(uint64_t op, const void *object)
{
	const bool is_first = sched_shared()->youngest <= 1, is_last = !is_first && thread_count() < 2;
	if (is_first || is_ordered(op))
		object = NULL;
	if (is_last && (!object || op == SCHED_OP_load))
		return;
	if (!is_first && !is_last)
		note_place();
	struct sched_access *entry = access_entry(thread_current->number, (uint64_t)object);
	if (!entry)
		entry = access_entry(thread_current->number, 0);
	if (!entry) {
		sched_area()->profile.lost++;
		return;
	}
	if (!is_last || !entry->points)
		entry->points++;
	entry->stores += entry->object && op != SCHED_OP_load;
}
