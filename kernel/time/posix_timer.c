/* SPDX-License-Identifier: MIT */
/* POSIX timers, in a table. A timer has at most one signal queued; expirations in the meantime are its overrun. */
#include "kernel/time/posix_timer.h"

#include <stddef.h>

#include "abi/errno.h"
#include "abi/linux_signal.h"
#include "kernel/personality.h"
#include "kernel/signal/signal.h"
#include "kernel/time/timer.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

static struct posix_timer {
	struct posix_timer_event event;
	struct process *process;
	int id; /* from 1; 0: the slot is free */
	bool armed;
	bool queued; /* its signal waits to be taken */
	int64_t deadline_ns;
	uint64_t interval_ns;
	uint64_t overrun;     /* counts while queued */
	int32_t overrun_last; /* as of the last signal taken */
} timers[POSIX_TIMERS_MAX];

static int created;
static int slots; /* number of slots ever used: those after them are free */

static struct posix_timer *find_timer(int id)
{
	for (int i = 0; i < slots; i++)
		if (timers[i].id == id + 1 && id >= 0 && timers[i].process == process_current)
			return &timers[i];
	return NULL;
}

/* The timer's clock, of the current process. */
static int64_t timer_clock(const struct posix_timer *timer)
{
	return (int64_t)(timer->event.cpu ? personality.process_cpu_ns() : vclock_now());
}

/* When an armed timer expires, by vclock_now. */
static uint64_t timer_due(const struct posix_timer *timer)
{
	uint64_t deadline = timer->deadline_ns > 0 ? (uint64_t)timer->deadline_ns : 0;
	return timer->event.cpu ? personality.process_cpu_due(timer->process, deadline) : deadline;
}

int posix_timer_create(const struct posix_timer_event *event)
{
	struct posix_timer *timer = NULL;
	for (int i = 0; i < POSIX_TIMERS_MAX && !timer; i++)
		if (!timers[i].id)
			timer = &timers[i];
	if (!timer || created == INT32_MAX - 1)
		return -EAGAIN;
	if (timer == &timers[slots])
		slots++;
	signal_timer_taken = posix_timer_taken;
	*timer = (struct posix_timer){.event = *event, .process = process_current, .id = created + 1};
	if (event->value_is_id)
		timer->event.value = (uint64_t)created;
	return created++;
}

int posix_timer_delete(int id)
{
	struct posix_timer *timer = find_timer(id);
	if (!timer)
		return -EINVAL;
	if (timer->queued) /* its slot may be reused, and each slot has room in the queue once */
		signal_remove_timer(timer->event.sig, id);
	timer->id = 0;
	timer->armed = false;
	timer_update();
	return 0;
}

int posix_timer_arm(int id, int64_t left_ns, uint64_t interval_ns)
{
	struct posix_timer *timer = find_timer(id);
	if (!timer)
		return -EINVAL;
	timer->armed = true;
	timer->deadline_ns = timespec_ns_after(timer_clock(timer), left_ns);
	timer->interval_ns = interval_ns;
	timer_update();
	return 0;
}

int posix_timer_disarm(int id)
{
	struct posix_timer *timer = find_timer(id);
	if (!timer)
		return -EINVAL;
	timer->armed = false;
	timer->interval_ns = 0;
	timer_update();
	return 0;
}

/* The number of expirations of a due timer until now. Moves its deadline past now, or disarms it. */
static uint64_t pass(struct posix_timer *timer, int64_t now)
{
	uint64_t late = (uint64_t)now - (uint64_t)timer->deadline_ns;
	if (!timer->interval_ns) {
		timer->armed = false;
		return 1;
	}
	timer->deadline_ns = timespec_ns_after(now, (int64_t)(timer->interval_ns - late % timer->interval_ns));
	return late / timer->interval_ns + 1;
}

int posix_timer_get(int id, uint64_t *left_ns, uint64_t *interval_ns)
{
	struct posix_timer *timer = find_timer(id);
	if (!timer)
		return -EINVAL;
	int64_t now = timer_clock(timer);
	if (timer->armed && !timer->event.sig && timer->deadline_ns <= now)
		pass(timer, now);
	*interval_ns = timer->interval_ns;
	*left_ns = !timer->armed ? 0 : timer->deadline_ns > now ? (uint64_t)(timer->deadline_ns - now) : 1;
	return 0;
}

int posix_timer_clock(int id, int64_t *now_ns)
{
	struct posix_timer *timer = find_timer(id);
	if (!timer)
		return -EINVAL;
	*now_ns = timer->event.real  ? vclock_realtime()
	          : timer->event.cpu ? timer_clock(timer)
	                             : (int64_t)vclock_monotonic();
	return 0;
}

int posix_timer_overrun(int id)
{
	struct posix_timer *timer = find_timer(id);
	return timer ? timer->overrun_last : -EINVAL;
}

int posix_timer_taken(int id)
{
	struct posix_timer *timer = find_timer(id);
	if (!timer)
		return 0;
	timer->queued = false;
	timer->overrun_last = timer->overrun > INT32_MAX ? INT32_MAX : (int32_t)timer->overrun;
	return timer->overrun_last;
}

/* Finds the receiver of a timer's signal; *thread NULL: the process. False: the thread has ended. */
static bool find_receiver(const struct posix_timer *timer, struct thread **thread)
{
	*thread = timer->event.thread ? thread_find(timer->event.thread) : NULL;
	return *thread || !timer->event.thread;
}

/* Whether a timer that expires now sends a signal, and does not only count an overrun. */
static bool can_expire(const struct posix_timer *timer)
{
	struct thread *thread;
	struct process *current = process_enter(timer->process);
	bool can = !timer->queued && find_receiver(timer, &thread) && !signal_is_dropped(thread, timer->event.sig);
	process_enter(current);
	return can;
}

uint64_t posix_timer_due_ns(bool idle)
{
	uint64_t soonest = UINT64_MAX;
	for (int i = 0; i < slots; i++) {
		const struct posix_timer *timer = &timers[i];
		if (!timer->armed || !timer->event.sig || (idle && (timer->event.cpu || !can_expire(timer))))
			continue;
		uint64_t due = timer_due(timer);
		if (due < soonest)
			soonest = due;
	}
	return soonest;
}

uint64_t posix_timer_working_ns(void)
{
	uint64_t soonest = UINT64_MAX;
	for (int i = 0; i < slots; i++) {
		const struct posix_timer *timer = &timers[i];
		if (timer->armed && timer->event.sig && timer->event.cpu && timer->process == process_current &&
		    can_expire(timer) && timer_due(timer) < soonest)
			soonest = timer_due(timer);
	}
	return soonest;
}

void posix_timer_expire(void)
{
	struct process *current = process_current;
	for (int i = 0; i < slots; i++) {
		struct posix_timer *timer = &timers[i];
		struct thread *thread;
		if (!timer->armed || !timer->event.sig)
			continue;
		process_enter(timer->process);
		int64_t now = timer_clock(timer);
		if (timer->deadline_ns > now)
			continue;
		uint64_t count = pass(timer, now);
		if (timer->queued) {
			timer->overrun += count;
			continue;
		}
		const struct signal_origin origin = {
			.code = LINUX_SI_TIMER, .pid = timer->id - 1, .value = timer->event.value};
		timer->overrun = count - 1;
		timer->queued = find_receiver(timer, &thread) && signal_queue(thread, timer->event.sig, &origin) > 0;
	}
	process_enter(current);
}

void posix_timer_forget(void)
{
	for (int i = 0; i < slots; i++)
		if (timers[i].id && timers[i].process == process_current)
			posix_timer_delete(timers[i].id - 1);
}
