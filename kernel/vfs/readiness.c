/* SPDX-License-Identifier: MIT */
/* All that wait look again at each change, in the order that the scheduler gives them: who is first is its decision. */
#include "kernel/vfs/readiness.h"

#include "kernel/sched/sched.h"

static struct thread_queue any;

int readiness_wait(struct thread_queue *queue, const char *what)
{
	const struct wait_reason reason = {what, SCHED_CAUSE_io};
	return sched_wait(queue, SCHED_FOREVER, &reason);
}

int readiness_wait_any(uint64_t deadline_ns, const char *what)
{
	const struct wait_reason reason = {what, SCHED_CAUSE_io};
	return sched_wait(&any, deadline_ns, &reason);
}

void readiness_changed(struct thread_queue *queue)
{
	if (queue->first)
		sched_wake_all(queue);
	if (any.first)
		sched_wake_all(&any);
}
