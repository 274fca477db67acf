/* SPDX-License-Identifier: MIT */
/* A binary heap. Equal deadlines are ordered by the start of the wait, so that the heap's shape does not affect the
 * order. */
#include "kernel/sched/timeouts.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"

#define FIRST_ROOM 8

static struct thread *first_heap[FIRST_ROOM + 1];
static struct thread **heap = first_heap; /* from 1 */
static unsigned room = FIRST_ROOM;
static unsigned count;
static uint64_t order;

static bool before(const struct thread *a, const struct thread *b)
{
	return a->deadline_ns != b->deadline_ns ? a->deadline_ns < b->deadline_ns : a->timeout_order < b->timeout_order;
}

static void put_at_index(unsigned index, struct thread *thread)
{
	heap[index] = thread;
	thread->heap_index = index;
}

/* Puts a thread at a free place, and moves it up or down to its position. */
static void settle_in_heap(unsigned index, struct thread *thread)
{
	while (index > 1 && before(thread, heap[index / 2])) {
		put_at_index(index, heap[index / 2]);
		index /= 2;
	}
	for (;;) {
		unsigned child = 2 * index;
		if (child > count)
			break;
		if (child < count && before(heap[child + 1], heap[child]))
			child++;
		if (!before(heap[child], thread))
			break;
		put_at_index(index, heap[child]);
		index = child;
	}
	put_at_index(index, thread);
}

int timeouts_reserve(unsigned threads)
{
	if (threads <= room)
		return 0;
	struct thread **grown = kmalloc((2 * room + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	memcpy(grown, heap, (count + 1) * sizeof(*grown));
	if (heap != first_heap)
		kfree(heap);
	heap = grown;
	room *= 2;
	return 0;
}

void timeouts_add(struct thread *thread)
{
	assert(thread->heap_index == 0);
	thread->timeout_order = ++order;
	count++;
	assert(count <= room);
	settle_in_heap(count, thread);
}

void timeouts_remove(struct thread *thread)
{
	unsigned index = thread->heap_index;
	if (!index)
		return;
	struct thread *moved = heap[count];
	heap[count--] = NULL;
	thread->heap_index = 0;
	if (moved != thread)
		settle_in_heap(index, moved);
}

uint64_t timeouts_next_ns(void)
{
	return count ? heap[1]->deadline_ns : UINT64_MAX;
}

struct thread *timeouts_first(void)
{
	return count ? heap[1] : NULL;
}
