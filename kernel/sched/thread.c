/* SPDX-License-Identifier: MIT */
/* The table of threads. Numbers grow from 1, and a number is that of a slot, so that looking one up is one access;
 * a slot is used again when its thread has ended, under another number. */
#include "kernel/sched/thread.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/process.h"
#include "kernel/sched/timeouts.h"

#define NUMBER_MAX 0x3fffffffU /* FUTEX_TID_MASK */
#define CHUNK 512

static struct thread first;
static struct thread **chunks[THREADS_MAX / CHUNK]; /* by slot; the first thread's place is not used */
static uint32_t last = PROCESS_ID;
static unsigned count;

struct thread *thread_current = &first;

static uint32_t slot_of(uint32_t tid)
{
	return (tid - 1) % THREADS_MAX;
}

static struct thread *at(uint32_t slot)
{
	if (slot == slot_of(PROCESS_ID))
		return first.state == THREAD_ENDED ? NULL : &first;
	struct thread **chunk = chunks[slot / CHUNK];
	return chunk ? chunk[slot % CHUNK] : NULL;
}

/* 0 or -ENOMEM. */
static int put(uint32_t slot, struct thread *thread)
{
	struct thread ***chunk = &chunks[slot / CHUNK];
	if (!*chunk)
		*chunk = kzalloc(CHUNK * sizeof(**chunk));
	if (!*chunk)
		return -ENOMEM;
	(*chunk)[slot % CHUNK] = thread;
	return 0;
}

void thread_init(void)
{
	first.tid = PROCESS_ID;
	first.slot = slot_of(PROCESS_ID);
	first.state = THREAD_READY;
	first.switches = 1;
	count = 1;
}

struct thread *thread_find(uint32_t tid)
{
	if (count == 1 && tid != thread_current->tid)
		return NULL;
	struct thread *thread = tid ? at(slot_of(tid)) : NULL;
	return thread && thread->tid == tid ? thread : NULL;
}

struct thread *thread_after(uint32_t tid)
{
	struct thread *next = NULL;
	uint32_t slots = last < THREADS_MAX ? last : THREADS_MAX;
	for (uint32_t slot = last < THREADS_MAX ? tid : 0; slot < slots; slot++) {
		struct thread *thread = at(slot);
		if (!thread || thread->tid <= tid || (next && next->tid <= thread->tid))
			continue;
		next = thread;
		if (last < THREADS_MAX) /* slots are in the order of numbers */
			break;
	}
	return next;
}

unsigned thread_count(void)
{
	return count;
}

struct thread *thread_allocate(void)
{
	if (count == THREADS_MAX - 1) /* the first one's slot is its own */
		return NULL;
	uint32_t tid = last;
	do
		tid = tid < NUMBER_MAX ? tid + 1 : PROCESS_ID + 1;
	while (slot_of(tid) == slot_of(PROCESS_ID) || at(slot_of(tid)));
	struct thread *thread = kzalloc(sizeof(*thread));
	if (!thread || timeouts_reserve(count + 1) || put(slot_of(tid), thread)) {
		kfree(thread);
		return NULL;
	}
	thread->tid = last = tid;
	thread->slot = slot_of(tid);
	count++;
	return thread;
}

void thread_free(struct thread *thread)
{
	assert(count > 0);
	count--;
	thread->state = THREAD_ENDED;
	if (thread == &first)
		return;
	chunks[thread->slot / CHUNK][thread->slot % CHUNK] = NULL;
	kfree(thread);
}

void thread_queue_add(struct thread_queue *queue, struct thread *thread)
{
	thread->next = NULL;
	thread->previous = queue->last;
	if (queue->last)
		queue->last->next = thread;
	else
		queue->first = thread;
	queue->last = thread;
	queue->count++;
}

void thread_queue_remove(struct thread_queue *queue, struct thread *thread)
{
	assert(queue->count > 0);
	if (thread->previous)
		thread->previous->next = thread->next;
	else
		queue->first = thread->next;
	if (thread->next)
		thread->next->previous = thread->previous;
	else
		queue->last = thread->previous;
	thread->next = thread->previous = NULL;
	queue->count--;
}
