/* SPDX-License-Identifier: MIT */
/* A native image is one process, number 1, and starts no others. Its user and group are 0. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/end.h"
#include "kernel/sched/process.h"
#include "kernel/sys/sys.h"
#include "kernel/sys/thread_exit.h"
#include "kernel/vfs/path.h"

long sys_fork(void)
{
	return -ENOSYS;
}

long sys_vfork(void)
{
	return -ENOSYS;
}

/* Nothing can be started. Files that Linux cannot start either fail with Linux's errors, by which shells and execvp(3)
 * search. */
long sys_execveat(int dirfd, const char *path, char *const *argv, char *const *envp, int flags)
{
	struct inode *inode;
	(void)argv, (void)envp;
	if (flags & ~(LINUX_AT_EMPTY_PATH | LINUX_AT_SYMLINK_NOFOLLOW))
		return -EINVAL;
	unsigned int walk =
		(flags & LINUX_AT_EMPTY_PATH ? PATH_EMPTY : 0) | (flags & LINUX_AT_SYMLINK_NOFOLLOW ? 0 : PATH_FOLLOW);
	int error = path_find(dirfd, path, walk, &inode);
	if (error < 0)
		return error;
	if (LINUX_S_ISLNK(inode->mode))
		return -ELOOP;
	if (!LINUX_S_ISREG(inode->mode))
		return -EACCES;
	error = inode_permission(inode, LINUX_X_OK);
	return error ? error : -ENOSYS;
}

long sys_execve(const char *path, char *const *argv, char *const *envp)
{
	return sys_execveat(LINUX_AT_FDCWD, path, argv, envp, 0);
}

long sys_wait4(int pid, int *status, int options, struct linux_rusage *usage)
{
	(void)pid, (void)status, (void)options, (void)usage;
	return -ECHILD;
}

long sys_getuid(void)
{
	return 0;
}

long sys_getgid(void)
{
	return 0;
}

long sys_geteuid(void)
{
	return 0;
}

long sys_getegid(void)
{
	return 0;
}

long sys_uname(struct linux_utsname *name)
{
	static const struct linux_utsname identity = {
		.sysname = "Eremite",
		.nodename = "eremite",
		.release = "1.0",
		.version = "#1",
		.machine = "x86_64",
		.domainname = "(none)",
	};
	return copy_to_user(name, &identity, sizeof(identity));
}

long sys_getpid(void)
{
	return PROCESS_ID;
}

long sys_getppid(void)
{
	return 0;
}

long sys_getpgrp(void)
{
	return PROCESS_ID;
}

long sys_getpgid(int pid)
{
	return pid == 0 || pid == PROCESS_ID ? PROCESS_ID : -ESRCH;
}

long sys_getsid(int pid)
{
	return pid == 0 || pid == PROCESS_ID ? PROCESS_ID : -ESRCH;
}

long sys_setpgid(int pid, int pgid)
{
	if (pgid < 0)
		return -EINVAL;
	if (pid != 0 && pid != PROCESS_ID)
		return -ESRCH;
	return pgid == 0 || pgid == PROCESS_ID ? 0 : -EPERM;
}

long sys_setsid(void)
{
	return -EPERM; /* as for every process group leader */
}

static int
	status_of_first; /* the status of the first thread's exit, which is the process's when the last thread ends */

long sys_exit(int status)
{
	if (thread_current->tid == PROCESS_ID)
		status_of_first = status;
	thread_exit_locks();
	if (thread_count() == 1)
		end_exit(status_of_first);
	thread_exit();
}

long sys_exit_group(int status)
{
	end_exit(status);
}
