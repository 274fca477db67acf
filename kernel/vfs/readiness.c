/* SPDX-License-Identifier: MIT */
/* A waiter is in a list from the time it waits until it runs again, and is on its own stack. It can be woken only while
 * its thread waits. */
#include "kernel/vfs/readiness.h"

#include "kernel/lib/bug.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/sched.h"

struct readiness_queue readiness_polling;
const struct thread *readiness_thread;

static void add_waiter(struct readiness_queue *queue, struct readiness_waiter *waiter)
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
	add_waiter(queue, &waiter);
	int result = sched_wait(NULL, deadline_ns, &reason);
	remove(queue, &waiter);
	return result;
}

static bool can_go_on(const struct readiness_waiter *waiter)
{
	if (waiter->thread->state != THREAD_WAITING)
		return false;
	readiness_thread = waiter->thread;
	bool can = waiter->test(waiter->context);
	readiness_thread = NULL;
	return can;
}

/* The next waiter after `option` (NULL: the first) that can continue, in the queue of `choice`. */
static const void *next_ready_waiter(const struct sched_choice *choice, const void *option)
{
	const struct readiness_queue *queue = choice->context;
	const struct readiness_waiter *waiter = option;
	waiter = waiter ? waiter->next : queue->first;
	while (waiter && !can_go_on(waiter))
		waiter = waiter->next;
	return waiter;
}

static uint32_t waiter_number(const void *option)
{
	const struct readiness_waiter *waiter = option;
	return waiter->thread->tid;
}

void readiness_wake_one(const struct readiness_queue *queue)
{
	const struct sched_choice choice = {
		.kind = SCHED_KIND_wake, .next = next_ready_waiter, .number = waiter_number, .context = queue};
	const struct readiness_waiter *waiter;
	while ((waiter = sched_choose(&choice)) && !sched_wake_is_in_time(waiter->thread))
		;
	if (waiter)
		sched_wake(waiter->thread, 0);
}

void readiness_wake_all(const struct readiness_queue *queue)
{
	const struct sched_choice choice = {.kind = SCHED_KIND_wake, .next = next_ready_waiter, .context = queue};
	const struct readiness_waiter *waiter = NULL;
	while ((waiter = next_ready_waiter(&choice, waiter)))
		if (sched_wake_is_in_time(waiter->thread))
			sched_wake(waiter->thread, 0);
}
