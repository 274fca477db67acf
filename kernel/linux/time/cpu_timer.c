/* SPDX-License-Identifier: MIT */
/* Timers on the clocks of processes. Such a clock shows the time that the process has used, and advances only while the
 * process runs. Only then does a time on it correspond to one of the virtual clock, so the times are recomputed when
 * another process runs.
 *
 * A process's TIMER_WORK is its own next event: the next second of RLIMIT_CPU, or the end of a sleep. */
#include "kernel/linux/time/cpu_timer.h"

#include "abi/errno.h"
#include "abi/linux_signal.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/list.h"
#include "kernel/linux/event/timerfd.h"
#include "kernel/linux/signal/stop.h"
#include "kernel/linux/time/clock.h"
#include "kernel/linux/time/usage.h"
#include "kernel/sched/account.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/limits.h"
#include "kernel/sys/sys.h"
#include "kernel/sys/time.h"
#include "kernel/time/timer.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

#define TIMER_ABSTIME 1
#define SECONDS_MAX (UINT64_MAX / NS_PER_S)

/* CLOCK_THREAD_CPUTIME_ID, _MONOTONIC_RAW, and the coarse ones. */
#define CLOCK_SLEEPLESS_FIRST CLOCK_THREAD_CPUTIME
#define CLOCK_SLEEPLESS_LAST CLOCK_MONOTONIC_COARSE

/* A thread that sleeps by the clock of a process, or of a thread in it; the structure is on its stack. */
struct sleeper {
	struct list all;
	struct thread *thread;
	struct linux_process *process; /* NULL: it has ended, and the sleep does not end any more */
	uint32_t tid;                  /* the thread whose clock it is; 0: the process's */
	uint64_t deadline_ns;          /* on that clock */
};

static struct list sleepers = {&sleepers, &sleepers};

static bool is_used; /* since the last switch of processes, cpu_timer_due was asked about a timer */

uint64_t cpu_timer_process_cpu(void)
{
	return usage_ran_ns(process_self());
}

uint64_t cpu_timer_due(const struct process *process, uint64_t cpu_ns)
{
	uint64_t now = vclock_now(), ran = usage_ran_ns(process->more);
	is_used = true;
	if (ran >= cpu_ns)
		return now;
	return process == thread_current->process ? now + (cpu_ns - ran) : UINT64_MAX;
}

void cpu_timer_switched(void)
{
	if (!is_used)
		return;
	is_used = false;
	timer_update();
}

static uint64_t sleeper_clock(const struct sleeper *sleeper)
{
	return sleeper->tid ? account_ran_ns(thread_find(sleeper->tid)) : usage_ran_ns(sleeper->process);
}

/* Returns the nanoseconds until the clock reaches the deadline; UINT64_MAX: it has stopped for ever. */
static uint64_t left_of(const struct sleeper *sleeper)
{
	if (!sleeper->process || (sleeper->tid && !thread_find(sleeper->tid)))
		return UINT64_MAX;
	uint64_t now = sleeper_clock(sleeper);
	return sleeper->deadline_ns > now ? sleeper->deadline_ns - now : 0;
}

/* Sets TIMER_WORK. A thread's clock never reaches a time before its process's does. */
static void arm_process(struct linux_process *process)
{
	uint64_t seconds = process->base->limits[LINUX_RLIMIT_CPU].rlim_cur, now = usage_ran_ns(process);
	uint64_t next = seconds < SECONDS_MAX ? seconds * NS_PER_S : UINT64_MAX;
	list_each (link, &sleepers) {
		const struct sleeper *sleeper = list_entry(link, struct sleeper, all);
		uint64_t left = sleeper->process == process ? left_of(sleeper) : UINT64_MAX;
		if (left < UINT64_MAX - now && now + left < next)
			next = now + left;
	}
	process->base->timers[TIMER_WORK].deadline_ns = process->ended || next == UINT64_MAX ? 0 : next ? next : 1;
	timer_update();
}

void cpu_timer_limit(struct linux_process *process)
{
	arm_process(process);
}

void cpu_timer_forget(struct linux_process *process)
{
	process->base->timers[TIMER_WORK].deadline_ns = 0;
	list_each (link, &sleepers) {
		struct sleeper *sleeper = list_entry(link, struct sleeper, all);
		if (sleeper->process == process)
			sleeper->process = NULL;
	}
}

/* As on Linux the soft limit is moved on by a second each time. */
static void expire_limit(struct linux_process *process)
{
	struct linux_rlimit *limit = &process->base->limits[LINUX_RLIMIT_CPU];
	uint64_t seconds = usage_ran_ns(process) / NS_PER_S;
	if (seconds < limit->rlim_cur)
		return;
	int sig = seconds < limit->rlim_max ? LINUX_SIGXCPU : LINUX_SIGKILL;
	limit->rlim_cur = seconds + 1;
	stop_signal_sent(process, sig);
	signal_send(sig, LINUX_SI_KERNEL);
}

/* Expires the sleeps and limits of the current process. */
static void expire_process(struct linux_process *process)
{
	expire_limit(process);
	for (struct list *link = sleepers.next, *next; link != &sleepers; link = next) {
		struct sleeper *sleeper = list_entry(link, struct sleeper, all);
		next = link->next;
		if (sleeper->process != process || left_of(sleeper))
			continue;
		list_remove(link);
		if (sleeper->thread->state == THREAD_WAITING) /* not woken by a signal before */
			sched_wake(sleeper->thread, 0);
	}
	arm_process(process);
}

void cpu_timer_expire(void)
{
	for (struct process *process = &process_first; process; process = process->next) {
		uint64_t deadline = process->timers[TIMER_WORK].deadline_ns;
		if (!deadline || usage_ran_ns(process->more) < deadline)
			continue;
		struct process *current = process_enter(process);
		expire_process(process->more);
		process_enter(current);
	}
	timerfd_expire();
}

long sys_prlimit64(int pid, int resource, const struct linux_rlimit *limit, struct linux_rlimit *old)
{
	long result = limits_prlimit(pid, resource, limit, old);
	if (!result && limit && resource == LINUX_RLIMIT_CPU)
		cpu_timer_limit(pid ? process_of_thread((uint32_t)pid) : process_self());
	return result;
}

/* Finds the process of a clock. Returns 0, or -EINVAL: no process, or the thread's own clock, which stands still while
 * it sleeps. */
static int find_clock(int clock, struct sleeper *sleeper)
{
	int64_t tid = clock_thread(clock);
	if (tid == 0 || tid == thread_current->tid)
		return -EINVAL;
	const struct thread *thread = tid > 0 ? thread_find((uint32_t)tid) : NULL;
	if (thread && thread->process == process_current)
		sleeper->tid = thread->tid;
	sleeper->process = sleeper->tid ? process_self() : clock_process(clock);
	return sleeper->process && !sleeper->process->ended ? 0 : -EINVAL;
}

static int sleep(struct sleeper *sleeper)
{
	static const struct wait_reason reason = {"processor time to be used (clock_nanosleep)", SCHED_CAUSE_sleep};
	int result = 0;
	list_add_last(&sleepers, &sleeper->all);
	arm_process(sleeper->process);
	while (!result && left_of(sleeper))
		result = sched_wait(NULL, SCHED_FOREVER, &reason);
	list_remove(&sleeper->all);
	if (sleeper->process)
		arm_process(sleeper->process);
	return left_of(sleeper) ? result : 0;
}

long sys_clock_nanosleep(int clock, int flags, const struct linux_timespec *request, struct linux_timespec *remain)
{
	struct sleeper sleeper = {.thread = thread_current};
	struct linux_timespec ts;
	if (clock >= CLOCK_SLEEPLESS_FIRST && clock <= CLOCK_SLEEPLESS_LAST)
		return -EOPNOTSUPP;
	if (clock >= 0 && !clock_process(clock))
		return time_clock_nanosleep(clock, flags & TIMER_ABSTIME, request, remain);
	int result = find_clock(clock, &sleeper);
	if (result)
		return result;
	if (copy_from_user(&ts, request, sizeof(ts)))
		return -EFAULT;
	int64_t wanted = timespec_to_ns(&ts);
	if (wanted < 0)
		return -EINVAL;
	sleeper.deadline_ns = (uint64_t)wanted + (flags & TIMER_ABSTIME ? 0 : sleeper_clock(&sleeper));
	result = left_of(&sleeper) ? sleep(&sleeper) : 0;
	if (result && remain && !(flags & TIMER_ABSTIME)) {
		ts = timespec_from_ns((int64_t)left_of(&sleeper));
		if (copy_to_user(remain, &ts, sizeof(ts)))
			return -EFAULT;
	}
	return result;
}
