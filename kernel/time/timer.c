/* SPDX-License-Identifier: MIT */
/* Interval timers. `soonest` is never later than the first deadline, so that the check at each kernel call is one
 * comparison. */
#include "kernel/time/timer.h"

#include "abi/linux.h"
#include "kernel/lib/bug.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"
#include "kernel/time/posix_timer.h"
#include "kernel/time/vclock.h"

_Static_assert((int)TIMER_KINDS == PROCESS_TIMERS, "struct process has one of each kind");

static uint64_t soonest = UINT64_MAX;

struct timer_source timer_source = {.soonest_ns = UINT64_MAX};

static uint64_t clock_of(enum timer_kind kind)
{
	return kind == TIMER_REAL ? vclock_now() : vclock_cpu();
}

static void note_deadline(uint64_t deadline_ns, uint64_t now)
{
	uint64_t left = deadline_ns > now ? deadline_ns - now : 0;
	if (deadline_ns && vclock_now() + left < soonest)
		soonest = vclock_now() + left;
}

void timer_update(void)
{
	soonest = posix_timer_due_ns();
	if (timer_source.soonest_ns < soonest)
		soonest = timer_source.soonest_ns;
	for (const struct process *process = &process_first; process; process = process->next)
		for (int kind = 0; kind < TIMER_KINDS; kind++)
			note_deadline(process->timers[kind].deadline_ns, clock_of((enum timer_kind)kind));
	sched_clock_changed();
}

uint64_t timer_soonest_ns(void)
{
	return soonest;
}

void timer_set(enum timer_kind kind, uint64_t value_ns, uint64_t interval_ns)
{
	assert(kind < TIMER_KINDS);
	struct process_timer *timer = &process_current->timers[kind];
	timer->deadline_ns = value_ns ? clock_of(kind) + value_ns : 0;
	timer->interval_ns = interval_ns;
	timer_update();
}

void timer_get(enum timer_kind kind, uint64_t *value_ns, uint64_t *interval_ns)
{
	assert(kind < TIMER_KINDS);
	uint64_t now = clock_of(kind);
	uint64_t deadline = process_current->timers[kind].deadline_ns;
	*value_ns = !deadline ? 0 : deadline > now ? deadline - now : 1;
	*interval_ns = process_current->timers[kind].interval_ns;
}

uint64_t timer_next_ns(void)
{
	uint64_t next = posix_timer_next_ns();
	if (timer_source.soonest_ns < next)
		next = timer_source.soonest_ns;
	struct process *current = process_current;
	for (struct process *process = &process_first; process; process = process->next) {
		uint64_t deadline = process->timers[TIMER_REAL].deadline_ns;
		process_enter(process);
		if (deadline && deadline < next && !signal_is_pending(LINUX_SIGALRM) &&
		    !signal_is_dropped(NULL, LINUX_SIGALRM))
			next = deadline;
	}
	process_enter(current);
	return next;
}

bool timer_is_due(void)
{
	return vclock_now() >= soonest;
}

/* Of the current process. */
static void expire(enum timer_kind kind)
{
	static const int signals[TIMER_KINDS] = {LINUX_SIGALRM, LINUX_SIGVTALRM, LINUX_SIGPROF};
	struct process_timer *timer = &process_current->timers[kind];
	uint64_t now = clock_of(kind), deadline = timer->deadline_ns, interval = timer->interval_ns;
	if (!deadline || now < deadline)
		return;
	/* Expirations that were missed count as one, as with a blocked signal on Linux. */
	timer->deadline_ns = interval ? deadline + ((now - deadline) / interval + 1) * interval : 0;
	signal_send(signals[kind], LINUX_SI_KERNEL);
}

void timer_expire(void)
{
	if (!timer_is_due())
		return;
	struct process *current = process_current;
	for (struct process *process = &process_first; process; process = process->next) {
		process_enter(process);
		for (int kind = 0; kind < TIMER_KINDS; kind++)
			expire((enum timer_kind)kind);
	}
	process_enter(current);
	posix_timer_expire();
	if (timer_source.expire)
		timer_source.expire();
	timer_update();
}
