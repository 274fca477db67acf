/* SPDX-License-Identifier: MIT */
/* Resource limits: getrlimit(2), setrlimit(2), prlimit(2). */
#include "kernel/sys/limits.h"

#include "abi/errno.h"
#include "abi/layout.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/personality.h"
#include "kernel/sched/process.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/vfs.h"

/* Initial limits of the first process, by RLIMIT_* number: soft and hard. Descriptors, RLIMIT_AS and RLIMIT_DATA have
 * an effect. */
static const struct linux_rlimit initial[LINUX_RLIMITS] = {
	[0 ... 2] = {UINT64_MAX, UINT64_MAX},
	[3] = {LAYOUT_STACK_MAX, LAYOUT_STACK_MAX}, /* RLIMIT_STACK */
	[4] = {0, 0},                               /* RLIMIT_CORE */
	[5] = {UINT64_MAX, UINT64_MAX},
	[6] = {1, 1}, /* RLIMIT_NPROC */
	[LINUX_RLIMIT_NOFILE] = {FDTABLE_LIMIT, FDTABLE_MAX},
	[8 ... 15] = {UINT64_MAX, UINT64_MAX},
};

void limits_init(void)
{
	memcpy(process_first.limits, initial, sizeof(initial));
}

long limits_prlimit(int pid, int resource, const struct linux_rlimit *limit, struct linux_rlimit *old)
{
	struct linux_rlimit *limits = process_current->limits;
	if (pid != 0 && pid != (int)process_current->id)
		limits = personality.limits_find ? personality.limits_find(pid) : NULL;
	if (!limits)
		return -ESRCH;
	if (resource < 0 || resource >= LINUX_RLIMITS)
		return -EINVAL;
	struct linux_rlimit was = limits[resource], wanted = was;
	if (limit && copy_from_user(&wanted, limit, sizeof(wanted)))
		return -EFAULT;
	if (wanted.rlim_cur > wanted.rlim_max)
		return -EINVAL;
	if (limit && resource == LINUX_RLIMIT_NOFILE && wanted.rlim_max > FDTABLE_MAX)
		return -EPERM; /* fs.nr_open */
	if (wanted.rlim_max > was.rlim_max && !personality.limit_may_rise(resource, wanted.rlim_max))
		return -EPERM;
	if (old && copy_to_user(old, &was, sizeof(was)))
		return -EFAULT;
	limits[resource] = wanted;
	return 0;
}

long sys_getrlimit(int resource, struct linux_rlimit *limit)
{
	return sys_prlimit64(0, resource, NULL, limit);
}

long sys_setrlimit(int resource, const struct linux_rlimit *limit)
{
	struct linux_rlimit checked;
	if (copy_from_user(&checked, limit, sizeof(checked)))
		return -EFAULT;
	return sys_prlimit64(0, resource, &checked, NULL);
}

uint64_t limits_get(int resource)
{
	return process_current->limits[resource].rlim_cur;
}
