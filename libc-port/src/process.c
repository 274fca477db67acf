/* SPDX-License-Identifier: MIT */
/* The process: identity, limits, its end. A native image is one process, so making another fails with ENOSYS. */
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ulimit.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"

void _exit(int status)
{
	kcall_exit_group(status);
	__builtin_unreachable();
}

pid_t getpid(void)
{
	return (pid_t)kcall_getpid();
}

pid_t gettid(void)
{
	return (pid_t)kcall_gettid();
}

pid_t getppid(void)
{
	return (pid_t)kcall_getppid();
}

pid_t getpgrp(void)
{
	return (pid_t)kcall_getpgrp();
}

pid_t getpgid(pid_t pid)
{
	return (pid_t)kernel_result(kcall_getpgid(pid));
}

int setpgid(pid_t pid, pid_t group)
{
	return (int)kernel_result(kcall_setpgid(pid, group));
}

int setpgrp(void)
{
	return setpgid(0, 0);
}

pid_t getsid(pid_t pid)
{
	return (pid_t)kernel_result(kcall_getsid(pid));
}

pid_t setsid(void)
{
	return (pid_t)kernel_result(kcall_setsid());
}

pid_t fork(void)
{
	return (pid_t)kernel_result(kcall_fork());
}

/* A child that shares this stack could not return from here, so it is fork, as POSIX allows. */
pid_t vfork(void)
{
	return fork();
}

pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	return (pid_t)kernel_result(kcall_wait4(pid, status, options, (struct linux_rusage *)usage));
}

pid_t wait3(int *status, int options, struct rusage *usage)
{
	return wait4(-1, status, options, usage);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
	return wait4(pid, status, options, NULL);
}

pid_t wait(int *status)
{
	return waitpid(-1, status, 0);
}

int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	(void)type, (void)id, (void)info, (void)options;
	return kernel_refuse(ECHILD);
}

int daemon(int nochdir, int noclose)
{
	(void)nochdir, (void)noclose;
	return kernel_refuse(ENOSYS);
}

/* There is no shell: system(NULL) says so. */
int system(const char *command)
{
	return command ? kernel_refuse(ENOSYS) : 0;
}

int _system_r(struct _reent *reent, const char *command)
{
	(void)reent;
	return system(command);
}

FILE *popen(const char *command, const char *mode)
{
	(void)command, (void)mode;
	return kernel_refuse(ENOSYS), NULL;
}

int pclose(FILE *stream)
{
	(void)stream;
	return kernel_refuse(ECHILD);
}

int getrlimit(int resource, struct rlimit *limit)
{
	return (int)kernel_result(kcall_getrlimit(resource, (struct linux_rlimit *)limit));
}

int setrlimit(int resource, const struct rlimit *limit)
{
	return (int)kernel_result(kcall_setrlimit(resource, (const struct linux_rlimit *)limit));
}

int prlimit(pid_t pid, int resource, const struct rlimit *limit, struct rlimit *old)
{
	return (int)kernel_result(
		kcall_prlimit64(pid, resource, (const struct linux_rlimit *)limit, (struct linux_rlimit *)old));
}

int getrusage(int who, struct rusage *usage)
{
	return (int)kernel_result(kcall_getrusage(who, (struct linux_rusage *)usage));
}

/* Priorities have no effect on a schedule that the policy decides, so the only one is 0. */
int getpriority(int which, id_t who)
{
	(void)who;
	return which < PRIO_PROCESS || which > PRIO_USER ? kernel_refuse(EINVAL) : 0;
}

int setpriority(int which, id_t who, int priority)
{
	(void)priority;
	return getpriority(which, who);
}

int nice(int increment)
{
	(void)increment;
	return 0;
}

int sched_yield(void)
{
	return (int)kernel_result(kcall_sched_yield());
}

/* Every thread has the default policy; what decides is the run's schedule. */
int sched_getscheduler(pid_t pid)
{
	return pid == 0 || pid == getpid() ? SCHED_OTHER : kernel_refuse(ESRCH);
}

int sched_setscheduler(pid_t pid, int policy, const struct sched_param *param)
{
	if (policy != SCHED_OTHER)
		return kernel_refuse(policy == SCHED_FIFO || policy == SCHED_RR ? EPERM : EINVAL);
	return sched_setparam(pid, param);
}

int sched_getparam(pid_t pid, struct sched_param *param)
{
	param->sched_priority = 0;
	return sched_getscheduler(pid) < 0 ? -1 : 0;
}

int sched_setparam(pid_t pid, const struct sched_param *param)
{
	if (param->sched_priority != 0)
		return kernel_refuse(EINVAL);
	return sched_getscheduler(pid) < 0 ? -1 : 0;
}

static int priority_bound(int policy, int bound)
{
	if (policy == SCHED_FIFO || policy == SCHED_RR)
		return bound;
	return policy == SCHED_OTHER ? 0 : kernel_refuse(EINVAL);
}

int sched_get_priority_max(int policy)
{
	return priority_bound(policy, 99);
}

int sched_get_priority_min(int policy)
{
	return priority_bound(policy, 1);
}

int sched_rr_get_interval(pid_t pid, struct timespec *interval)
{
	*interval = (struct timespec){0, 0};
	return sched_getscheduler(pid) < 0 ? -1 : 0;
}

int sched_getcpu(void)
{
	return 0;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	if (pid != 0 && pid != getpid())
		return kernel_refuse(ESRCH);
	if (size < sizeof(unsigned long))
		return kernel_refuse(EINVAL);
	__builtin_memset(set, 0, size);
	set->__bits[0] = 1;
	return 0;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	if (pid != 0 && pid != getpid())
		return kernel_refuse(ESRCH);
	return size < sizeof(unsigned long) || !(set->__bits[0] & 1) ? kernel_refuse(EINVAL) : 0;
}

int __sched_cpucount(size_t size, const cpu_set_t *set)
{
	int count = 0;
	for (size_t i = 0; i < size / sizeof(unsigned long); i++)
		count += __builtin_popcountl(set->__bits[i]);
	return count;
}

long ulimit(int command, ...)
{
	struct rlimit limit;
	va_list args;
	if (getrlimit(RLIMIT_FSIZE, &limit) < 0)
		return -1;
	if (command == UL_GETFSIZE)
		return limit.rlim_cur == RLIM_INFINITY ? LONG_MAX / 512 : (long)(limit.rlim_cur / 512);
	if (command != UL_SETFSIZE)
		return kernel_refuse(EINVAL);
	va_start(args, command);
	long blocks = va_arg(args, long);
	va_end(args);
	limit.rlim_cur = limit.rlim_max = (unsigned long)blocks > LONG_MAX / 512 ? RLIM_INFINITY : (rlim_t)blocks * 512;
	return setrlimit(RLIMIT_FSIZE, &limit) < 0 ? -1 : blocks;
}

/* The thread's name is for debuggers, and here for the program alone (prctl(2)). */
int prctl(int operation, ...)
{
	static char name[16];
	static bool named;
	va_list args;
	va_start(args, operation);
	char *text = va_arg(args, char *);
	va_end(args);
	if (!named)
		strncpy(name, program_invocation_short_name, sizeof(name) - 1);
	named = true;
	if (operation == PR_SET_NAME)
		strncpy(name, text, sizeof(name) - 1);
	else if (operation == PR_GET_NAME)
		memcpy(text, name, sizeof(name));
	else
		return kernel_refuse(EINVAL);
	return 0;
}
