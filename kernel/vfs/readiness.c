/* SPDX-License-Identifier: MIT */
/* A waiter stands in a list, from its own stack, until it runs again; only while its thread waits it can be woken. */
#include "kernel/vfs/readiness.h"

#include "kernel/lib/bug.h"
#include "kernel/sched/sched.h"

struct readiness_queue readiness_polling;

static void add(struct readiness_queue *queue, struct readiness_waiter *waiter)
{
	waiter->next = NULL;
	waiter->previous = queue->last;
	*(queue->last ? &queue->last->next : &queue->first) = waiter;
	queue->last = waiter;
}

static void remove(struct readiness_queue *queue, struct readiness_waiter *waiter)
{
	*(waiter->previous ? &waiter->previous->next : &queue->first) = waiter->next;
	*(waiter->next ? &waiter->next->previous : &queue->last) = waiter->previous;
}

int readiness_wait(struct readiness_queue *queue, uint64_t deadline_ns, const char *what, readiness_test test,
                   const void *context)
{
	const struct wait_reason reason = {what, SCHED_CAUSE_io};
	struct readiness_waiter waiter = {.thread = thread_current, .test = test, .context = context};
	add(queue, &waiter);
	int result = sched_wait(NULL, deadline_ns, &reason);
	remove(queue, &waiter);
	return result;
}

static bool can_go_on(const struct readiness_waiter *waiter)
{
	return waiter->thread->state == THREAD_WAITING && waiter->test(waiter->context);
}

/* The index-th of those who can go on. */
static const struct readiness_waiter *find(const struct readiness_queue *queue, unsigned index)
{
	const struct readiness_waiter *waiter = queue->first;
	for (; waiter; waiter = waiter->next) {
		if (can_go_on(waiter) && index-- == 0)
			return waiter;
	}
	BUG("no such waiter");
}

static uint32_t number_of(const struct sched_choice *choice, unsigned option)
{
	return find(choice->context, option)->thread->tid;
}

static unsigned count(const struct readiness_queue *queue)
{
	unsigned waiters = 0;
	for (const struct readiness_waiter *waiter = queue->first; waiter; waiter = waiter->next)
		waiters += can_go_on(waiter);
	return waiters;
}

void readiness_wake_one(const struct readiness_queue *queue)
{
	for (unsigned waiters = count(queue); waiters > 0; waiters--) {
		const struct sched_choice choice = {
			.kind = SCHED_KIND_wake, .count = waiters, .detail = number_of, .context = queue};
		struct thread *thread = find(queue, waiters > 1 ? sched_choose(&choice) : 0)->thread;
		if (sched_wake_is_in_time(thread)) {
			sched_wake(thread, 0);
			return;
		}
	}
}

void readiness_wake_all(const struct readiness_queue *queue)
{
	for (unsigned waiters = count(queue); waiters > 0; waiters--) {
		struct thread *thread = find(queue, 0)->thread;
		if (sched_wake_is_in_time(thread))
			sched_wake(thread, 0);
	}
}
