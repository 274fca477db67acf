/* SPDX-License-Identifier: MIT */
/* Calls about the system and its usage. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/end.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/sched/account.h"
#include "kernel/sched/process.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/time/vclock.h"

#define LINUX_RUSAGE_THREAD 1

/* For Linux programs: kernel/linux/time/usage.c. */
__attribute__((weak)) long sys_getrusage(int who, struct linux_rusage *usage)
{
	struct linux_rusage used;
	if (who < -1 || who > LINUX_RUSAGE_THREAD)
		return -EINVAL;
	memset(&used, 0, sizeof(used));
	if (who != -1) {
		uint64_t cpu_ns = who == LINUX_RUSAGE_THREAD ? account_ran_ns(thread_current) : vclock_cpu();
		used.ru_utime.tv_sec = (int64_t)(cpu_ns / 1000000000);
		used.ru_utime.tv_usec = (int64_t)(cpu_ns % 1000000000 / 1000);
		used.ru_maxrss = (int64_t)((frame_total_bytes() - frame_free_bytes()) / 1024);
	}
	return copy_to_user(usage, &used, sizeof(used));
}

long sys_sysinfo(struct linux_sysinfo *info)
{
	struct linux_sysinfo now;
	memset(&now, 0, sizeof(now));
	now.uptime = (int64_t)(vclock_now() / 1000000000);
	now.totalram = frame_total_bytes();
	now.freeram = frame_free_bytes();
	now.procs = (uint16_t)thread_count();
	now.mem_unit = 1;
	return copy_to_user(info, &now, sizeof(now));
}
