/* SPDX-License-Identifier: MIT */
/* The table of threads. Numbers grow from 1. A number determines its slot, so that a lookup is one access. The slot of
 * an ended thread is reused under another number. */
#include "kernel/sched/thread.h"

#include "abi/errno.h"
#include "kernel/arch/base.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/per_processor.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/process.h"
#include "kernel/sched/timeouts.h"

#define NUMBER_MAX 0x3fffffffU /* FUTEX_TID_MASK */
#define CHUNK 512

static struct thread first;
static struct thread **chunks[THREADS_MAX / CHUNK]; /* by slot; the first entry is unused */
static uint32_t last = PROCESS_ID;
static unsigned count;
static struct thread *lowest, *highest; /* of the living threads, by number */
static struct thread *renamed;          /* threads that thread_rename has renamed */

PER_PROCESSOR struct thread *thread_current = &first;
struct process process_first = {.id = PROCESS_ID};
PER_PROCESSOR struct process *process_current = &process_first;

static uint32_t slot_of_tid(uint32_t tid)
{
	return (tid - 1) % THREADS_MAX;
}

static struct thread *at(uint32_t slot)
{
	if (slot == slot_of_tid(PROCESS_ID))
		return first.state == THREAD_ENDED ? NULL : &first;
	struct thread **chunk = chunks[slot / CHUNK];
	return chunk ? chunk[slot % CHUNK] : NULL;
}

/* 0 or -ENOMEM. */
static int put_in_slot(uint32_t slot, struct thread *thread)
{
	struct thread ***chunk = &chunks[slot / CHUNK];
	if (!*chunk)
		*chunk = kzalloc(CHUNK * sizeof(**chunk));
	if (!*chunk)
		return -ENOMEM;
	(*chunk)[slot % CHUNK] = thread;
	return 0;
}

/* Inserts a thread by its number. Numbers grow until they wrap, so the loop rarely has a higher number to pass. */
static void link(struct thread *thread)
{
	struct thread *before = highest;
	while (before && before->number > thread->number)
		before = before->before;
	thread->before = before;
	thread->after = before ? before->after : lowest;
	*(thread->before ? &thread->before->after : &lowest) = thread;
	*(thread->after ? &thread->after->before : &highest) = thread;
}

static void unlink(struct thread *thread)
{
	*(thread->before ? &thread->before->after : &lowest) = thread->after;
	*(thread->after ? &thread->after->before : &highest) = thread->before;
	thread->before = thread->after = NULL;
}

void thread_init(void)
{
	first.number = first.tid = PROCESS_ID;
	first.slot = slot_of_tid(PROCESS_ID);
	first.state = THREAD_READY;
	first.switches = 1;
	first.process = &process_first;
	process_first.threads = 1;
	link(&first);
	count = 1;
}

struct thread *thread_find(uint32_t tid)
{
	struct thread *thread = tid ? at(slot_of_tid(tid)) : NULL;
	if (thread && thread->tid == tid)
		return thread;
	for (thread = renamed; thread && thread->tid != tid;)
		thread = thread->renamed;
	return thread;
}

struct thread *thread_numbered(uint32_t number)
{
	struct thread *thread = number ? at(slot_of_tid(number)) : NULL;
	return thread && thread->number == number ? thread : NULL;
}

void thread_rename(struct thread *thread, uint32_t tid)
{
	if (thread->tid == tid)
		return;
	if (thread->tid == thread->number) {
		thread->renamed = renamed;
		renamed = thread;
	}
	thread->tid = tid;
}

static void forget_name(struct thread *thread)
{
	struct thread **link = &renamed;
	while (*link && *link != thread)
		link = &(*link)->renamed;
	if (*link)
		*link = thread->renamed;
}

struct thread *thread_first(void)
{
	assert(lowest);
	return lowest;
}

struct thread *process_thread_after(const struct thread *thread)
{
	struct thread *next = thread ? thread->after : lowest;
	while (next && next->process != process_current)
		next = next->after;
	return next;
}

unsigned thread_count(void)
{
	return count;
}

struct thread *thread_allocate(void)
{
	if (count == THREADS_MAX - 1) /* the slot of the first thread is never reused */
		return NULL;
	uint32_t tid = last;
	do
		tid = tid < NUMBER_MAX ? tid + 1 : PROCESS_ID + 1;
	while (slot_of_tid(tid) == slot_of_tid(PROCESS_ID) || at(slot_of_tid(tid)));
	struct thread *thread = kzalloc(sizeof(*thread));
	if (!thread || timeouts_reserve(count + 1) || put_in_slot(slot_of_tid(tid), thread)) {
		kfree(thread);
		return NULL;
	}
	thread->number = thread->tid = last = tid;
	thread->slot = slot_of_tid(tid);
	link(thread);
	count++;
	thread->process = process_current;
	process_current->threads++;
	return thread;
}

void thread_end(struct thread *thread)
{
	assert(thread->state != THREAD_ENDED);
	assert(count > 0);
	count--;
	thread->process->threads--;
	unlink(thread);
	forget_name(thread);
	thread->state = THREAD_ENDED;
	if (thread != &first)
		chunks[thread->slot / CHUNK][thread->slot % CHUNK] = NULL;
}

void thread_free(struct thread *thread)
{
	assert(thread->state == THREAD_ENDED);
	if (thread != &first)
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

void thread_set_fs_base(uint64_t base)
{
	thread_current->fs_base = base;
	base_load_fs(base);
}

void thread_set_gs_base(uint64_t base)
{
	thread_current->gs_base = base;
	base_load_gs(base);
}
