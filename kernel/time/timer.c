/* SPDX-License-Identifier: MIT */
/* Interval timers. `timer_soonest` is never later than the first deadline, so that the check at each kernel call is one
 * comparison. */
#include "kernel/time/timer.h"

#include "abi/linux.h"
#include "kernel/lib/bug.h"
#include "kernel/personality.h"
#include "kernel/sched/process.h"
#include "kernel/signal/signal.h"
#include "kernel/time/posix_timer.h"
#include "kernel/time/vclock.h"

_Static_assert((int)TIMER_WORK + 1 == PROCESS_TIMERS, "struct process has one of each kind");

uint64_t timer_soonest = UINT64_MAX;

uint64_t timer_files_ns = UINT64_MAX;
struct timer_source timer_arrivals = {.soonest_ns = UINT64_MAX};
void (*timer_changed)(void);

/* The timer's clock, of the current process. */
static uint64_t interval_clock(enum timer_kind kind)
{
	return kind == TIMER_REAL ? vclock_now() : personality.process_cpu_ns();
}

/* When, by vclock_now, a timer expires; UINT64_MAX: never, as things are. */
static uint64_t interval_due(const struct process *process, enum timer_kind kind)
{
	uint64_t deadline = process->timers[kind].deadline_ns;
	if (!deadline)
		return UINT64_MAX;
	return kind == TIMER_REAL ? deadline : personality.process_cpu_due(process, deadline);
}

void timer_update(void)
{
	timer_soonest = posix_timer_due_ns(false);
	if (timer_files_ns < timer_soonest)
		timer_soonest = timer_files_ns;
	if (timer_arrivals.soonest_ns < timer_soonest)
		timer_soonest = timer_arrivals.soonest_ns;
	for (const struct process *process = &process_first; process; process = process->next)
		for (int kind = 0; kind < PROCESS_TIMERS; kind++)
			if (interval_due(process, (enum timer_kind)kind) < timer_soonest)
				timer_soonest = interval_due(process, (enum timer_kind)kind);
	if (timer_changed)
		timer_changed();
}

uint64_t timer_soonest_ns(void)
{
	return timer_soonest;
}

void timer_set(enum timer_kind kind, uint64_t value_ns, uint64_t interval_ns)
{
	assert(kind < TIMER_KINDS);
	struct process_timer *timer = &process_current->timers[kind];
	timer->deadline_ns = value_ns ? interval_clock(kind) + value_ns : 0;
	timer->interval_ns = value_ns || kind != TIMER_REAL ? interval_ns : 0; /* as Linux keeps it */
	timer_update();
}

void timer_get(enum timer_kind kind, uint64_t *value_ns, uint64_t *interval_ns)
{
	assert(kind < TIMER_KINDS);
	uint64_t now = vclock_now(), due = interval_due(process_current, kind);
	*value_ns = due == UINT64_MAX ? 0 : due > now ? due - now : 1;
	*interval_ns = process_current->timers[kind].interval_ns;
}

uint64_t timer_next_ns(void)
{
	uint64_t next = posix_timer_due_ns(true);
	if (timer_files_ns < next)
		next = timer_files_ns;
	if (timer_arrivals.soonest_ns < next)
		next = timer_arrivals.soonest_ns;
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

static const uint8_t signals[TIMER_KINDS] = {LINUX_SIGALRM, LINUX_SIGVTALRM, LINUX_SIGPROF};

uint64_t timer_working_ns(void)
{
	uint64_t next = posix_timer_working_ns();
	for (int kind = TIMER_VIRTUAL; kind < PROCESS_TIMERS; kind++) {
		uint64_t due = interval_due(process_current, (enum timer_kind)kind);
		int sig = kind < TIMER_KINDS ? signals[kind] : 0;
		if (due < next && (!sig || (!signal_is_pending(sig) && !signal_is_dropped(NULL, sig))))
			next = due;
	}
	return next;
}

/* Expires a timer of the current process. */
static void expire(enum timer_kind kind)
{
	struct process_timer *timer = &process_current->timers[kind];
	uint64_t deadline = timer->deadline_ns, interval = timer->interval_ns;
	if (!deadline)
		return;
	int64_t late = (int64_t)(interval_clock(kind) - deadline);
	if (late < 0)
		return;
	/* Expirations that were missed count as one, as with a blocked signal on Linux. */
	timer->deadline_ns = interval ? deadline + ((uint64_t)late / interval + 1) * interval : 0;
	signal_send(signals[kind], LINUX_SI_KERNEL);
}

void timer_expire(void)
{
	if (vclock_now() < timer_soonest)
		return;
	struct process *current = process_current;
	for (struct process *process = &process_first; process; process = process->next) {
		process_enter(process);
		for (int kind = 0; kind < TIMER_KINDS; kind++)
			expire((enum timer_kind)kind);
	}
	process_enter(current);
	posix_timer_expire();
	if (personality.timers_expire)
		personality.timers_expire();
	if (timer_arrivals.expire)
		timer_arrivals.expire();
	timer_update();
}
