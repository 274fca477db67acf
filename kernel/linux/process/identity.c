/* SPDX-License-Identifier: MIT */
/* Numbers of processes, process groups and sessions (credentials(7)), and settings of a process for itself. */
#include <stdbool.h>

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/sys/sys.h"

long sys_getpid(void)
{
	return process_current->id;
}

long sys_getppid(void)
{
	const struct linux_process *parent = process_self()->parent;
	return parent ? parent->base->id : 0;
}

long sys_getpgrp(void)
{
	return process_self()->group;
}

static struct linux_process *find_identified(int pid)
{
	return pid ? process_of_thread((uint32_t)pid) : process_self();
}

long sys_getpgid(int pid)
{
	const struct linux_process *process = find_identified(pid);
	return process ? (long)process->group : -ESRCH;
}

long sys_getsid(int pid)
{
	const struct linux_process *process = find_identified(pid);
	return process ? (long)process->session : -ESRCH;
}

/* Whether a session has a process group of that number. */
static bool has_group(uint32_t session, uint32_t group)
{
	for (struct process *process = &process_first; process; process = process->next)
		if (process->more->group == group && process->more->session == session)
			return true;
	return false;
}

long sys_setpgid(int pid, int pgid)
{
	struct linux_process *self = process_self(), *process = find_identified(pid);
	if (pgid < 0 || (!pgid && pid < 0))
		return -EINVAL;
	if (!process || (process != self && process->parent != self))
		return -ESRCH;
	if (pid && process->base->id != (uint32_t)pid)
		return -EINVAL; /* the number of a thread that is not its process's first */
	uint32_t group = pgid ? (uint32_t)pgid : process->base->id;
	if (process != self && process->executed)
		return -EACCES;
	if (process->session != self->session || process->session == process->base->id)
		return -EPERM;
	if (group != process->base->id && !has_group(self->session, group))
		return -EPERM;
	process->group = group;
	return 0;
}

long sys_setsid(void)
{
	struct linux_process *self = process_self();
	for (struct process *process = &process_first; process; process = process->next)
		if (process->more->group == process_current->id)
			return -EPERM;
	self->group = self->session = process_current->id;
	self->terminal = NULL;
	return self->session;
}

#define PR_SET_PDEATHSIG 1
#define PR_GET_PDEATHSIG 2
#define PR_GET_DUMPABLE 3
#define PR_SET_DUMPABLE 4
#define PR_SET_NAME 15
#define PR_GET_NAME 16
#define PR_SET_CHILD_SUBREAPER 36
#define PR_GET_CHILD_SUBREAPER 37
#define PR_SET_NO_NEW_PRIVS 38
#define PR_GET_NO_NEW_PRIVS 39

long sys_prctl(int option, unsigned long arg2, unsigned long arg3, unsigned long arg4, unsigned long arg5)
{
	struct linux_process *self = process_self();
	switch (option) {
	case PR_SET_NAME: {
		char name[THREAD_NAME_BYTES];
		long length = strncpy_from_user(name, (const char *)arg2, sizeof(name));
		if (length == -EFAULT)
			return -EFAULT;
		name[sizeof(name) - 1] = 0;
		process_name_thread(thread_current, name);
		return 0;
	}
	case PR_GET_NAME:
		return copy_to_user((void *)arg2, thread_current->name, THREAD_NAME_BYTES);
	case PR_GET_PDEATHSIG:
		return copy_to_user((void *)arg2, &self->death_signal, sizeof(self->death_signal));
	case PR_SET_PDEATHSIG:
		if (arg2 > LINUX_NSIG)
			return -EINVAL;
		self->death_signal = (int)arg2;
		return 0;
	case PR_GET_DUMPABLE:
		return self->dumpable;
	case PR_SET_DUMPABLE:
		if (arg2 > 1)
			return -EINVAL;
		self->dumpable = arg2;
		return 0;
	case PR_SET_CHILD_SUBREAPER:
		self->subreaper = arg2 != 0;
		return 0;
	case PR_GET_CHILD_SUBREAPER: {
		const int subreaper = self->subreaper;
		return copy_to_user((void *)arg2, &subreaper, sizeof(subreaper));
	}
	case PR_SET_NO_NEW_PRIVS:
		if (arg2 != 1 || arg3 || arg4 || arg5)
			return -EINVAL;
		self->no_new_privileges = true;
		return 0;
	case PR_GET_NO_NEW_PRIVS:
		return arg2 || arg3 || arg4 || arg5 ? -EINVAL : self->no_new_privileges;
	default:
		return credentials_prctl(option, arg2, arg3, arg4, arg5);
	}
}

/* UINT32_MAX queries. The flags have no effect on 64-bit programs here, because addresses are the same in all runs
 * anyway, except one that kernel/linux/memory/memory_layout.c handles. */
#define PERSONALITY_FLAGS \
	(LINUX_ADDR_NO_RANDOMIZE | LINUX_FDPIC_FUNCPTRS | LINUX_READ_IMPLIES_EXEC | LINUX_ADDR_COMPAT_LAYOUT | \
	 LINUX_ADDR_LIMIT_32BIT | LINUX_SHORT_INODE | LINUX_WHOLE_SECONDS | LINUX_ADDR_LIMIT_3GB)

long sys_personality(unsigned int wanted)
{
	uint32_t old = thread_current->personality, kind = wanted & LINUX_PER_MASK;
	if (wanted == UINT32_MAX)
		return old;
	if ((kind != LINUX_PER_LINUX && kind != LINUX_PER_LINUX32) || wanted & ~(LINUX_PER_MASK | PERSONALITY_FLAGS))
		return -EINVAL;
	thread_current->personality = wanted;
	return old;
}

/* Programs depend on the name of the system, and some on its release: that of Linux in Debian 12. */
long sys_uname(struct linux_utsname *name)
{
	static const struct linux_utsname identity = {
		.sysname = "Linux",
		.nodename = "eremite",
		.release = "6.1.0-eremite",
		.version = "#1 Eremite",
		.machine = "x86_64",
		.domainname = "(none)",
	};
	struct linux_utsname found = identity;
	if ((thread_current->personality & LINUX_PER_MASK) == LINUX_PER_LINUX32)
		memcpy(found.machine, "i686", sizeof("i686"));
	return copy_to_user(name, &found, sizeof(found));
}
