/* SPDX-License-Identifier: MIT */
/* Calls about the system and its usage. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/end.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/sched/process.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/time/vclock.h"

long sys_sysinfo(struct linux_sysinfo *info)
{
	struct linux_sysinfo now;
	memset(&now, 0, sizeof(now));
	now.uptime = (int64_t)(vclock_monotonic() / 1000000000);
	now.totalram = frame_total_bytes();
	now.freeram = frame_free_bytes();
	now.procs = (uint16_t)thread_count();
	now.mem_unit = 1;
	return copy_to_user(info, &now, sizeof(now));
}
