/* SPDX-License-Identifier: MIT */
/* getrusage(2), times(2) and the clocks of processes (clock_getcpuclockid(3)). */
#include "kernel/linux/usage.h"

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/sched/account.h"
#include "kernel/sys/sys.h"
#include "kernel/sys/time.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

#define RUSAGE_CHILDREN (-1)
#define RUSAGE_SELF 0
#define RUSAGE_THREAD 1

#define CLOCK_PROCESS_CPUTIME 2
#define TICK_NS 10000000UL

/* A clock with a negative number: its own, inverted, above three bits, of which the third says that it is a thread's
 * and the others what is counted. */
#define CLOCK_BITS 3
#define CLOCK_OF_THREAD 4
#define CLOCK_COUNTS 3

uint64_t usage_ran_ns(const struct linux_process *process)
{
	uint64_t ran = process->ended_ns;
	if (process->ended)
		return ran;
	struct process *current = process_enter(process->base);
	for (struct thread *thread = NULL; (thread = process_thread_after(thread));)
		ran += account_ran_ns(thread);
	process_enter(current);
	return ran;
}

void usage_thread_ends(struct linux_process *process)
{
	process->ended_ns += account_ran_ns(thread_current);
}

void usage_waited(struct linux_process *child)
{
	child->parent->children_ns += child->ended_ns + child->children_ns;
}

static struct linux_timeval timeval_of(uint64_t ns)
{
	struct linux_timespec ts = timespec_from_ns((int64_t)ns);
	return (struct linux_timeval){ts.tv_sec, ts.tv_nsec / 1000};
}

void usage_of_child(const struct linux_process *child, struct linux_rusage *usage)
{
	memset(usage, 0, sizeof(*usage));
	usage->ru_utime = timeval_of(child->ended_ns + child->children_ns);
}

long sys_getrusage(int who, struct linux_rusage *usage)
{
	const struct linux_process *self = process_self();
	struct linux_rusage used;
	if (who < RUSAGE_CHILDREN || who > RUSAGE_THREAD)
		return -EINVAL;
	memset(&used, 0, sizeof(used));
	used.ru_utime = timeval_of(who == RUSAGE_CHILDREN ? self->children_ns
	                           : who == RUSAGE_SELF   ? usage_ran_ns(self)
	                                                  : account_ran_ns(thread_current));
	if (who != RUSAGE_CHILDREN)
		used.ru_maxrss = (int64_t)((frame_total_bytes() - frame_free_bytes()) / 1024);
	return copy_to_user(usage, &used, sizeof(used));
}

long sys_times(struct linux_tms *buf)
{
	const struct linux_process *self = process_self();
	struct linux_tms used = {
		.tms_utime = (int64_t)(usage_ran_ns(self) / TICK_NS),
		.tms_cutime = (int64_t)(self->children_ns / TICK_NS),
	};
	if (buf && copy_to_user(buf, &used, sizeof(used)))
		return -EFAULT;
	return (long)(vclock_now() / TICK_NS);
}

/* The process whose clock a number means; NULL: it is another kind of clock, or there is none such. */
static const struct linux_process *process_of_clock(int clock)
{
	if (clock == CLOCK_PROCESS_CPUTIME)
		return process_self();
	if (clock >= 0 || clock & CLOCK_OF_THREAD || (clock & CLOCK_COUNTS) == CLOCK_COUNTS)
		return NULL;
	uint32_t number = (uint32_t) ~(clock >> CLOCK_BITS);
	return number ? process_find(number) : process_self();
}

long sys_clock_gettime(int clock, struct linux_timespec *now)
{
	const struct linux_process *process = process_of_clock(clock);
	if (!process)
		return time_clock_gettime(clock, now);
	struct linux_timespec ts = timespec_from_ns((int64_t)usage_ran_ns(process));
	return copy_to_user(now, &ts, sizeof(ts));
}

long sys_clock_getres(int clock, struct linux_timespec *resolution)
{
	return time_clock_getres(process_of_clock(clock) ? CLOCK_PROCESS_CPUTIME : clock, resolution);
}
