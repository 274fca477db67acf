/* SPDX-License-Identifier: MIT */
/* getrusage(2) and times(2). */
#include "kernel/linux/time/usage.h"

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/time/clock.h"
#include "kernel/sched/account.h"
#include "kernel/sys/sys.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

#define RUSAGE_CHILDREN (-1)
#define RUSAGE_SELF 0
#define RUSAGE_THREAD 1

#define TICK_NS 10000000UL

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

static void raise(uint64_t *peak_bytes, uint64_t bytes)
{
	if (bytes > *peak_bytes)
		*peak_bytes = bytes;
}

void usage_space_ends(struct linux_process *process)
{
	raise(&process->peak_bytes, linux_space_peak(process->space).resident);
}

void usage_waited(struct linux_process *child)
{
	child->parent->children_ns += child->ended_ns + child->children_ns;
	raise(&child->parent->children_peak_bytes, child->peak_bytes);
	raise(&child->parent->children_peak_bytes, child->children_peak_bytes);
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
	uint64_t peak_bytes = child->peak_bytes;
	raise(&peak_bytes, child->children_peak_bytes);
	usage->ru_maxrss = (int64_t)(peak_bytes / 1024);
}

long sys_getrusage(int who, struct linux_rusage *usage)
{
	const struct linux_process *self = process_self();
	struct linux_rusage used;
	if (who < RUSAGE_CHILDREN || who > RUSAGE_THREAD)
		return -EINVAL;
	if (who != RUSAGE_CHILDREN)
		clock_pay_for_work();
	memset(&used, 0, sizeof(used));
	used.ru_utime = timeval_of(who == RUSAGE_CHILDREN ? self->children_ns
	                           : who == RUSAGE_SELF   ? usage_ran_ns(self)
	                                                  : account_ran_ns(thread_current));
	uint64_t peak_bytes = who == RUSAGE_CHILDREN ? self->children_peak_bytes : self->peak_bytes;
	if (who != RUSAGE_CHILDREN)
		raise(&peak_bytes, linux_space_peak(self->space).resident);
	used.ru_maxrss = (int64_t)(peak_bytes / 1024);
	return copy_to_user(usage, &used, sizeof(used));
}

long sys_times(struct linux_tms *buf)
{
	const struct linux_process *self = process_self();
	clock_pay_for_work();
	struct linux_tms used = {
		.tms_utime = (int64_t)(usage_ran_ns(self) / TICK_NS),
		.tms_cutime = (int64_t)(self->children_ns / TICK_NS),
	};
	if (buf && copy_to_user(buf, &used, sizeof(used)))
		return -EFAULT;
	return (long)(vclock_monotonic() / TICK_NS);
}
