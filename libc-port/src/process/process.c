/* SPDX-License-Identifier: MIT */
/* The process: identity, limits, its end. A native image is one process, so making another fails with ENOSYS. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ulimit.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

void _exit(int status)
{
	kcall_exit_group(status);
	__builtin_unreachable();
}

pid_t getpid(void)
{
	return (pid_t)kcall_getpid();
}

pid_t getppid(void)
{
	return (pid_t)kcall_getppid();
}

pid_t getpgrp(void)
{
	return (pid_t)kcall_getpgrp();
}

KERNEL_FUNCTION(pid_t, getpgid, (pid_t pid), (pid))
KERNEL_FUNCTION(int, setpgid, (pid_t pid, pid_t group), (pid, group))

int setpgrp(void)
{
	return setpgid(0, 0);
}

KERNEL_FUNCTION(pid_t, getsid, (pid_t pid), (pid))
KERNEL_FUNCTION(pid_t, setsid, (void), ())

/* A child that shares this stack could not return from here, so it is fork, as POSIX allows. */
pid_t vfork(void)
{
	return fork();
}

pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	return (pid_t)kernel_result(
		THREAD_CANCELLABLE(kcall_wait4(pid, status, options, (struct linux_rusage *)usage)));
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

int waitid(idtype_t, id_t, siginfo_t *, int)
{
	thread_testcancel();
	return kernel_refuse(ECHILD);
}

int daemon(int, int)
{
	return kernel_refuse(ENOSYS);
}

/* There is no shell: system(NULL) says so. */
int system(const char *command)
{
	return command ? kernel_refuse(ENOSYS) : 0;
}

int _system_r(struct _reent *, const char *command)
{
	return system(command);
}

FILE *popen(const char *, const char *)
{
	return kernel_refuse(ENOSYS), NULL;
}

int pclose(FILE *)
{
	return kernel_refuse(ECHILD);
}

KERNEL_FUNCTION(int, getrlimit, (int resource, struct rlimit *limit), (resource, (struct linux_rlimit *)limit))
KERNEL_FUNCTION(int, setrlimit, (int resource, const struct rlimit *limit),
                (resource, (const struct linux_rlimit *)limit))

int prlimit(pid_t pid, int resource, const struct rlimit *limit, struct rlimit *old)
{
	return (int)kernel_result(
		kcall_prlimit64(pid, resource, (const struct linux_rlimit *)limit, (struct linux_rlimit *)old));
}

KERNEL_FUNCTION(int, getrusage, (int who, struct rusage *usage), (who, (struct linux_rusage *)usage))

/* Priorities have no effect on a schedule that the policy decides, so the only one is 0. */
int getpriority(int which, id_t)
{
	return which < PRIO_PROCESS || which > PRIO_USER ? kernel_refuse(EINVAL) : 0;
}

int setpriority(int which, id_t who, int)
{
	return getpriority(which, who);
}

int nice(int)
{
	return 0;
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

/* prctl(2) supports only the thread's name. */
int prctl(int operation, ...)
{
	va_list args;
	va_start(args, operation);
	char *text = va_arg(args, char *);
	va_end(args);
	char *name = thread_self()->note.name;
	if (operation == PR_SET_NAME)
		strncpy(name, text, sizeof(thread_self()->note.name) - 1);
	else if (operation == PR_GET_NAME)
		memcpy(text, name, sizeof(thread_self()->note.name));
	else
		return kernel_refuse(EINVAL);
	return 0;
}
