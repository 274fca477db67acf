/* SPDX-License-Identifier: MIT */
/* Calls about the process that native images do not have. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/entry.h"
#include "kernel/sched/thread.h"
#include "kernel/sys/sys.h"

#define ARCH_SET_GS 0x1001
#define ARCH_SET_FS 0x1002
#define ARCH_GET_FS 0x1003
#define ARCH_GET_GS 0x1004
#define ADDRESS_END 0x7ffffffff000UL

long sys_arch_prctl(int code, unsigned long address)
{
	uint64_t base;
	if ((code == ARCH_SET_FS || code == ARCH_SET_GS) && address >= ADDRESS_END)
		return -EPERM;
	switch (code) {
	case ARCH_SET_FS:
		__asm__ volatile("wrfsbase %0" : : "r"(address) : "memory");
		return 0;
	case ARCH_SET_GS:
		__asm__ volatile("wrgsbase %0" : : "r"(address) : "memory");
		return 0;
	case ARCH_GET_FS:
		__asm__ volatile("rdfsbase %0" : "=r"(base));
		return copy_to_user((void *)address, &base, sizeof(base));
	case ARCH_GET_GS:
		__asm__ volatile("rdgsbase %0" : "=r"(base));
		return copy_to_user((void *)address, &base, sizeof(base));
	default:
		return -EINVAL;
	}
}

#define PR_SET_NAME 15
#define PR_GET_NAME 16
#define NAME_BYTES 16

static char name[NAME_BYTES];

long sys_prctl(int option, unsigned long arg2, unsigned long arg3, unsigned long arg4, unsigned long arg5)
{
	(void)arg3, (void)arg4, (void)arg5;
	switch (option) {
	case PR_SET_NAME:
		if (copy_from_user(name, (const void *)arg2, NAME_BYTES - 1))
			return -EFAULT;
		return 0;
	case PR_GET_NAME:
		return copy_to_user((void *)arg2, name, NAME_BYTES);
	default:
		return -EINVAL;
	}
}

long sys_fork(void)
{
	return -ENOSYS;
}

long sys_vfork(void)
{
	return -ENOSYS;
}

long sys_execve(const char *path, char *const *argv, char *const *envp)
{
	(void)path, (void)argv, (void)envp;
	return -ENOSYS;
}

long sys_execveat(int dirfd, const char *path, char *const *argv, char *const *envp, int flags)
{
	(void)dirfd, (void)path, (void)argv, (void)envp, (void)flags;
	return -ENOSYS;
}

long sys_wait4(int pid, int *status, int options, struct linux_rusage *usage)
{
	(void)pid, (void)status, (void)options, (void)usage;
	return -ECHILD;
}
