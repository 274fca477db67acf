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

static struct {
	uint64_t deadline_ns; /* on the timer's own clock; 0: disarmed */
	uint64_t interval_ns;
} timers[TIMER_KINDS];

static uint64_t soonest = UINT64_MAX;

static uint64_t clock_of(enum timer_kind kind)
{
	return kind == TIMER_REAL ? vclock_now() : vclock_cpu();
}

void timer_update(void)
{
	soonest = posix_timer_due_ns();
	for (int kind = 0; kind < TIMER_KINDS; kind++) {
		if (!timers[kind].deadline_ns)
			continue;
		uint64_t now = clock_of((enum timer_kind)kind);
		uint64_t left = timers[kind].deadline_ns > now ? timers[kind].deadline_ns - now : 0;
		if (vclock_now() + left < soonest)
			soonest = vclock_now() + left;
	}
	sched_clock_changed();
}

uint64_t timer_soonest_ns(void)
{
	return soonest;
}

void timer_set(enum timer_kind kind, uint64_t value_ns, uint64_t interval_ns)
{
	assert(kind < TIMER_KINDS);
	timers[kind].deadline_ns = value_ns ? clock_of(kind) + value_ns : 0;
	timers[kind].interval_ns = interval_ns;
	timer_update();
}

void timer_get(enum timer_kind kind, uint64_t *value_ns, uint64_t *interval_ns)
{
	assert(kind < TIMER_KINDS);
	uint64_t now = clock_of(kind);
	uint64_t deadline = timers[kind].deadline_ns;
	*value_ns = !deadline ? 0 : deadline > now ? deadline - now : 1;
	*interval_ns = timers[kind].interval_ns;
}

uint64_t timer_next_ns(void)
{
	uint64_t deadline = timers[TIMER_REAL].deadline_ns, posix = posix_timer_next_ns();
	bool changes = deadline && !signal_is_pending(LINUX_SIGALRM) && !signal_is_dropped(NULL, LINUX_SIGALRM);
	return changes && deadline < posix ? deadline : posix;
}

bool timer_is_due(void)
{
	return vclock_now() >= soonest;
}

void timer_expire(void)
{
	static const int signals[TIMER_KINDS] = {LINUX_SIGALRM, LINUX_SIGVTALRM, LINUX_SIGPROF};
	if (!timer_is_due())
		return;
	for (int kind = 0; kind < TIMER_KINDS; kind++) {
		uint64_t now = clock_of((enum timer_kind)kind);
		uint64_t deadline = timers[kind].deadline_ns, interval = timers[kind].interval_ns;
		if (!deadline || now < deadline)
			continue;
		/* Expirations that were missed count as one, as with a blocked signal on Linux. */
		timers[kind].deadline_ns = interval ? deadline + ((now - deadline) / interval + 1) * interval : 0;
		signal_send(signals[kind], LINUX_SI_KERNEL);
	}
	posix_timer_expire();
	timer_update();
}
