/* SPDX-License-Identifier: MIT */
/* Scheduling parameters and processors of the process and its threads: sched(7). They are stored and returned, but have
 * no effect: only the run's schedule decides which thread runs. There is one processor. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

KERNEL_FUNCTION(int, sched_yield, (void), ())

int pthread_yield(void)
{
	return sched_yield();
}

KERNEL_FUNCTION(int, sched_getscheduler, (pid_t pid), (pid))
KERNEL_FUNCTION(int, sched_setscheduler, (pid_t pid, int policy, const struct sched_param *param),
                (pid, policy, &param->sched_priority))
KERNEL_FUNCTION(int, sched_getparam, (pid_t pid, struct sched_param *param), (pid, &param->sched_priority))
KERNEL_FUNCTION(int, sched_setparam, (pid_t pid, const struct sched_param *param), (pid, &param->sched_priority))
KERNEL_FUNCTION(int, sched_get_priority_max, (int policy), (policy))
KERNEL_FUNCTION(int, sched_get_priority_min, (int policy), (policy))
KERNEL_FUNCTION(int, sched_rr_get_interval, (pid_t pid, struct timespec *interval),
                (pid, (struct linux_timespec *)interval))

int sched_getcpu(void)
{
	return 0;
}

int getcpu(unsigned *cpu, unsigned *node)
{
	if (cpu)
		*cpu = 0;
	if (node)
		*node = 0;
	return 0;
}

/* The kernel writes one word, as Linux with few processors does. */
static int get_affinity(pid_t pid, size_t size, cpu_set_t *set)
{
	long bytes = kcall_sched_getaffinity(pid, size, set->__bits);
	if (bytes < 0)
		return (int)-bytes;
	memset((char *)set + bytes, 0, size - (size_t)bytes);
	return 0;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	int error = get_affinity(pid, size, set);
	return error ? kernel_refuse(error) : 0;
}

KERNEL_FUNCTION(int, sched_setaffinity, (pid_t pid, size_t size, const cpu_set_t *set), (pid, size, set->__bits))

int __sched_cpucount(size_t size, const cpu_set_t *set)
{
	int count = 0;
	for (size_t i = 0; i < size / sizeof(unsigned long); i++)
		count += __builtin_popcountl(set->__bits[i]);
	return count;
}

cpu_set_t *__sched_cpualloc(size_t count)
{
	return malloc(CPU_ALLOC_SIZE(count));
}

void __sched_cpufree(cpu_set_t *set)
{
	free(set);
}

/* Returns the kernel's number of a thread, or -1 if the thread has ended. */
static int kernel_number(pthread_t id)
{
	uint32_t tid = ((const struct pthread *)id)->tid;
	return tid ? (int)tid : -1;
}

int pthread_setschedparam(pthread_t id, int policy, const struct sched_param *param)
{
	struct pthread *thread = (struct pthread *)id;
	int tid = kernel_number(id);
	if (tid < 0)
		return ESRCH;
	long result = kcall_sched_setscheduler(tid, policy, &param->sched_priority);
	if (result < 0)
		return (int)-result;
	thread->policy = policy;
	thread->param = *param;
	return 0;
}

int pthread_getschedparam(pthread_t id, int *policy, struct sched_param *param)
{
	int tid = kernel_number(id);
	if (tid < 0)
		return ESRCH;
	long found = kcall_sched_getscheduler(tid);
	if (found < 0)
		return (int)-found;
	*policy = (int)found;
	return (int)-kcall_sched_getparam(tid, &param->sched_priority);
}

int pthread_setschedprio(pthread_t id, int priority)
{
	struct pthread *thread = (struct pthread *)id;
	int tid = kernel_number(id);
	if (tid < 0)
		return ESRCH;
	long result = kcall_sched_setparam(tid, &priority);
	if (result == 0)
		thread->param.sched_priority = priority;
	return (int)-result;
}

int pthread_getaffinity_np(pthread_t id, size_t size, cpu_set_t *set)
{
	int tid = kernel_number(id);
	return tid < 0 ? ESRCH : get_affinity(tid, size, set);
}

int pthread_setaffinity_np(pthread_t id, size_t size, const cpu_set_t *set)
{
	int tid = kernel_number(id);
	return tid < 0 ? ESRCH : (int)-kcall_sched_setaffinity(tid, size, set->__bits);
}

/* Linux's clock of one thread: its number, inverted, above the kind. */
int pthread_getcpuclockid(pthread_t id, clockid_t *clock)
{
	int tid = kernel_number(id);
	if (tid < 0)
		return ESRCH;
	*clock = (clockid_t)(~(unsigned)tid << 3 | 6);
	return 0;
}

static int concurrency;

int pthread_getconcurrency(void)
{
	return concurrency;
}

int pthread_setconcurrency(int level)
{
	if (level < 0)
		return EINVAL;
	concurrency = level;
	return 0;
}
