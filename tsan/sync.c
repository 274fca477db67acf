/* SPDX-License-Identifier: MIT */
/* Clocks of locks and atomics, in chains by groups of addresses, so that those in freed memory are found. A clock has
 * room for the slots in use, and moves when it needs more. */
#include "tsan.h"

#define GROUP_SHIFT 9
#define CHAINS (1U << 14)
#define CLASSES 3
#define MANY SLOTS /* several threads have released what is there */

struct sync {
	uint64_t key;
	struct sync *next;
	uint16_t size_class, head; /* head: slot of the only thread that has released it */
	uint32_t at[];
};

static const uint32_t class_slots[CLASSES] = {8, 32, SLOTS};
static struct sync *spare[CLASSES];
static struct sync **chains;
static uint64_t in_use;

void sync_init(void)
{
	chains = memory_take(CHAINS * sizeof(struct sync *));
}

static struct sync **chain_of(uint64_t key)
{
	const uint64_t group = key >> GROUP_SHIFT ^ key >> 40;
	return &chains[group % CHAINS];
}

static struct sync **find(uint64_t key)
{
	struct sync **at = chain_of(key);
	while (*at && (*at)->key != key)
		at = &(*at)->next;
	return at;
}

static struct sync *take_sync(unsigned size_class)
{
	struct sync *sync = spare[size_class];
	if (sync)
		spare[size_class] = sync->next;
	else
		sync = memory_take(sizeof(*sync) + class_slots[size_class] * sizeof(uint32_t));
	if (!sync) { /* what looks unordered from now on may be ordered */
		tsan_state = TSAN_OFF;
		tsan_lost.accesses++;
		return NULL;
	}
	in_use++;
	sync->size_class = (uint16_t)size_class;
	__builtin_memset(sync->at, 0, class_slots[size_class] * sizeof(uint32_t));
	return sync;
}

static void drop_sync(struct sync **at)
{
	struct sync *sync = *at;
	*at = sync->next;
	sync->next = spare[sync->size_class];
	spare[sync->size_class] = sync;
	in_use--;
}

/* Returns the key's clock with room for all slots, which it makes if there is none. NULL: there is no memory. */
static struct sync *make_sync(uint64_t key, uint32_t head)
{
	struct sync **at = find(key), *known = *at;
	unsigned size_class = 0;
	while (class_slots[size_class] < threads_slots)
		size_class++;
	if (known && known->size_class >= size_class)
		return known;
	struct sync *sync = take_sync(size_class);
	if (!sync)
		return NULL;
	sync->key = key;
	sync->head = (uint16_t)(known ? known->head : head);
	for (uint32_t i = 0; known && i < class_slots[known->size_class]; i++)
		sync->at[i] = known->at[i];
	if (known)
		drop_sync(at);
	at = chain_of(key);
	sync->next = *at;
	*at = sync;
	return sync;
}

static void add(struct sync *sync, const struct clock *clock)
{
	for (uint32_t i = 0; i < threads_slots; i++)
		sync->at[i] = sync->at[i] > clock->at[i] ? sync->at[i] : clock->at[i];
}

void sync_release(struct thread *thread, uint64_t key)
{
	struct sync *sync = thread->sync_ignores ? NULL : make_sync(key, thread->slot);
	if (!sync)
		return;
	if (sync->head != thread->slot)
		sync->head = MANY;
	add(sync, &thread->clock);
	threads_tick(thread);
}

void sync_release_fenced(struct thread *thread, uint64_t key)
{
	struct sync *sync = thread->has_released && !thread->sync_ignores ? make_sync(key, thread->slot) : NULL;
	if (!sync)
		return;
	if (sync->head != thread->slot)
		sync->head = MANY;
	add(sync, &thread->released);
}

static void add_to(struct clock *clock, const struct sync *sync)
{
	const uint32_t slots = class_slots[sync->size_class];
	for (uint32_t i = 0; i < slots && i < threads_slots; i++)
		clock->at[i] = clock->at[i] > sync->at[i] ? clock->at[i] : sync->at[i];
}

void sync_acquire(struct thread *thread, uint64_t key)
{
	const struct sync *sync = thread->sync_ignores ? NULL : *find(key);
	if (sync)
		add_to(&thread->clock, sync);
}

void sync_see(struct thread *thread, uint64_t key)
{
	const struct sync *sync = thread->sync_ignores ? NULL : *find(key);
	if (!sync)
		return;
	add_to(&thread->seen, sync);
	thread->has_seen = true;
}

void sync_overwrite(struct thread *thread, uint64_t key)
{
	struct sync **at = find(key);
	if (*at && (!thread || ((*at)->head != thread->slot && (*at)->head != MANY)))
		drop_sync(at);
}

static void forget_in(struct sync **at, uint64_t from, uint64_t bytes)
{
	while (*at)
		if ((*at)->key - from < bytes)
			drop_sync(at);
		else
			at = &(*at)->next;
}

void sync_forget(uint64_t from, uint64_t bytes)
{
	const uint64_t first = from >> GROUP_SHIFT, last = (from + bytes - 1) >> GROUP_SHIFT;
	if (!in_use || !bytes)
		return;
	if (last - first >= CHAINS) {
		for (uint32_t i = 0; i < CHAINS; i++)
			forget_in(&chains[i], from, bytes);
		return;
	}
	for (uint64_t group = first; group <= last; group++)
		forget_in(chain_of(group << GROUP_SHIFT), from, bytes);
}
