/* SPDX-License-Identifier: MIT */
/* execveat(2) by way of a path of the descriptor. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/sys/sys.h"

long sys_execveat(int dirfd, const char *path, char *const *argv, char *const *envp, int flags)
{
	return dirfd == LINUX_AT_FDCWD && !flags ? sys_execve(path, argv, envp) : -ENOSYS;
}
