/* SPDX-License-Identifier: MIT */
/* Calls about scheduling parameters and processors: sched(7), sched_setaffinity(2). The values are stored for each
 * thread and read back; nothing depends on them. Threads run one at a time, whatever number of processors a program
 * sees. Every thread may have any priority. */
#include "kernel/sys/scheduling.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/personality.h"
#include "kernel/sys/sys.h"
#include "kernel/time/timespec.h"

#define PRIORITY_MAX 99
#define RR_INTERVAL_NS 100000000

uint32_t scheduling_processors = 1;

uint64_t scheduling_all(void)
{
	return UINT64_MAX >> (64 - scheduling_processors);
}

uint64_t scheduling_affinity(const struct thread *thread)
{
	return thread->affinity ? thread->affinity : scheduling_all();
}

/* The thread with a number, 0 meaning the caller; NULL with a negative errno in *error. */
static struct thread *find_scheduled(int tid, long *error)
{
	*error = tid < 0 ? -EINVAL : -ESRCH;
	if (tid < 0)
		return NULL;
	return tid ? thread_find((uint32_t)tid) : thread_current;
}

static bool is_real_time_policy(int policy)
{
	return policy == LINUX_SCHED_FIFO || policy == LINUX_SCHED_RR;
}

long scheduling_set(struct thread *thread, int policy, int priority)
{
	bool time_sharing = policy == LINUX_SCHED_OTHER || policy == LINUX_SCHED_BATCH || policy == LINUX_SCHED_IDLE;
	if (!time_sharing && !is_real_time_policy(policy))
		return -EINVAL;
	if (is_real_time_policy(policy) ? priority < 1 || priority > PRIORITY_MAX : priority != 0)
		return -EINVAL;
	thread->policy = policy;
	thread->priority = priority;
	return 0;
}

static long set_scheduling(int tid, int policy, const int *user_priority, bool keep_policy)
{
	long error;
	int priority;
	if (!user_priority)
		return -EINVAL;
	if (copy_from_user(&priority, user_priority, sizeof(priority)))
		return -EFAULT;
	struct thread *thread = find_scheduled(tid, &error);
	if (!thread)
		return error;
	return scheduling_set(thread, keep_policy ? thread->policy : policy & ~LINUX_SCHED_RESET_ON_FORK, priority);
}

long sys_sched_setparam(int tid, const int *priority)
{
	return set_scheduling(tid, 0, priority, true);
}

long sys_sched_setscheduler(int tid, int policy, const int *priority)
{
	return policy < 0 ? -EINVAL : set_scheduling(tid, policy, priority, false);
}

long sys_sched_getparam(int tid, int *priority)
{
	long error;
	const struct thread *thread = find_scheduled(tid, &error);
	if (!priority)
		return -EINVAL;
	return thread ? copy_to_user(priority, &thread->priority, sizeof(*priority)) : error;
}

long sys_sched_getscheduler(int tid)
{
	long error;
	const struct thread *thread = find_scheduled(tid, &error);
	return thread ? thread->policy : error;
}

static long bound(int policy, long of_real_time)
{
	if (is_real_time_policy(policy))
		return of_real_time;
	bool known = policy == LINUX_SCHED_OTHER || policy == LINUX_SCHED_BATCH || policy == LINUX_SCHED_IDLE ||
	             policy == LINUX_SCHED_DEADLINE;
	return known ? 0 : -EINVAL;
}

long sys_sched_get_priority_max(int policy)
{
	return bound(policy, PRIORITY_MAX);
}

long sys_sched_get_priority_min(int policy)
{
	return bound(policy, 1);
}

long sys_sched_rr_get_interval(int tid, struct linux_timespec *interval)
{
	long error;
	const struct thread *thread = find_scheduled(tid, &error);
	if (!thread)
		return error;
	const struct linux_timespec found = {0, thread->policy == LINUX_SCHED_RR ? RR_INTERVAL_NS : 0};
	return copy_to_user(interval, &found, sizeof(found));
}

/* find for these two calls: a negative number is not invalid, but no thread has it. */
static struct thread *find_any(int tid)
{
	return tid ? thread_find((uint32_t)tid) : thread_current;
}

long sys_sched_setaffinity(int tid, unsigned long bytes, const unsigned long *user_mask)
{
	unsigned long mask = 0;
	if (copy_from_user(&mask, user_mask, bytes < sizeof(mask) ? bytes : sizeof(mask)))
		return -EFAULT;
	struct thread *thread = find_any(tid);
	if (!thread)
		return -ESRCH;
	if (!(mask & scheduling_all()))
		return -EINVAL;
	thread->affinity = mask & scheduling_all();
	if (thread == thread_current)
		personality.thread_moved();
	return 0;
}

long sys_sched_getaffinity(int tid, unsigned long bytes, unsigned long *mask)
{
	if (bytes < sizeof(*mask) || bytes % sizeof(*mask))
		return -EINVAL;
	const struct thread *thread = find_any(tid);
	if (!thread)
		return -ESRCH;
	const unsigned long found = scheduling_affinity(thread);
	return copy_to_user(mask, &found, sizeof(found)) ? -EFAULT : (long)sizeof(found);
}

long sys_getcpu(unsigned int *processor, unsigned int *node, void *)
{
	const unsigned int here = thread_processor(thread_current), first = 0;
	if (processor && copy_to_user(processor, &here, sizeof(here)))
		return -EFAULT;
	return node ? copy_to_user(node, &first, sizeof(first)) : 0;
}
