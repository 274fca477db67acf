/* SPDX-License-Identifier: MIT */
/* System calls of native images that Linux programs have in another form: about descriptors, memory, time and limits.
 * Most are those that kernel/sys/ has for both. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/sched/account.h"
#include "kernel/sched/thread.h"
#include "kernel/sys/file_descriptor.h"
#include "kernel/sys/file_io.h"
#include "kernel/sys/limits.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/sys.h"
#include "kernel/sys/time.h"
#include "kernel/time/vclock.h"

#define LINUX_RUSAGE_THREAD 1
#define TICK_NS 10000000UL /* of times(2) */

long sys_lseek(int fd, long offset, int whence)
{
	return file_io_seek(fd, offset, whence);
}

long sys_ioctl(int fd, unsigned long request, void *arg)
{
	return file_descriptor_ioctl(fd, request, arg);
}

long sys_mmap(void *addr, unsigned long length, int prot, int flags, int fd, long offset)
{
	return memory_map(addr, length, prot, flags, fd, offset);
}

long sys_mprotect(void *addr, unsigned long length, int prot)
{
	return memory_protect(addr, length, prot);
}

long sys_prlimit64(int pid, int resource, const struct linux_rlimit *limit, struct linux_rlimit *old)
{
	return limits_prlimit(pid, resource, limit, old);
}

long sys_clock_gettime(int clock, struct linux_timespec *now)
{
	return time_clock_gettime(clock, now);
}

long sys_clock_getres(int clock, struct linux_timespec *resolution)
{
	return time_clock_getres(clock, resolution);
}

long sys_clock_nanosleep(int clock, int flags, const struct linux_timespec *request, struct linux_timespec *remain)
{
	return time_clock_nanosleep(clock, flags, request, remain);
}

long sys_gettimeofday(struct linux_timeval *now, void *zone)
{
	return time_gettimeofday(now, zone);
}

long sys_time(long *now)
{
	return time_time(now);
}

long sys_times(struct linux_tms *buf)
{
	struct linux_tms used = {.tms_utime = (int64_t)(vclock_cpu() / TICK_NS)};
	if (buf && copy_to_user(buf, &used, sizeof(used)))
		return -EFAULT;
	return (long)(vclock_monotonic() / TICK_NS);
}

long sys_getrusage(int who, struct linux_rusage *usage)
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
