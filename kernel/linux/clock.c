/* SPDX-License-Identifier: MIT */
/* clock_gettime(2), gettimeofday(2) and time(2): the clocks of processes (clock_getcpuclockid(3)), and what looks at
 * clocks cost. Work between calls takes no virtual time. A program that works until a time has come would do hundreds
 * of times what it does natively, and run out of memory if it collects results. So looks cost more the more of them
 * there are, as long as they are most of what the program calls: in the end what some work costs. */
#include "kernel/linux/clock.h"

#include "abi/errno.h"
#include "abi/layout.h"
#include "abi/linux.h"
#include "abi/stats.h"
#include "kernel/arch/direct_map.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/usage.h"
#include "kernel/sys/sys.h"
#include "kernel/sys/time.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

#define LOOK_NS_MAX 10000 /* as five turns of a loop of Python */

/* The looks of a program that have nothing else between them cost 1 ns more each; a call between two takes one of them
 * back. */
static void pay_for_look(void)
{
	static uint64_t looks, events;
	const struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
	uint64_t others = stats->events - events - 1;
	events = stats->events;
	looks = looks > others ? looks - others : 0;
	vclock_advance(looks);
	if (looks < LOOK_NS_MAX)
		looks++;
}

struct linux_process *clock_process(int clock)
{
	if (clock == CLOCK_PROCESS_CPUTIME)
		return process_self();
	if (clock >= 0 || clock & CLOCK_OF_THREAD || (clock & CLOCK_COUNTS) == CLOCK_COUNTS)
		return NULL;
	uint32_t number = (uint32_t) ~(clock >> CLOCK_BITS);
	return number ? process_find(number) : process_self();
}

int64_t clock_thread(int clock)
{
	if (clock >= 0 || !(clock & CLOCK_OF_THREAD) || (clock & CLOCK_COUNTS) == CLOCK_COUNTS)
		return -1;
	return (uint32_t) ~(clock >> CLOCK_BITS);
}

long sys_clock_gettime(int clock, struct linux_timespec *now)
{
	const struct linux_process *process = clock_process(clock);
	pay_for_look();
	if (!process)
		return time_clock_gettime(clock, now);
	struct linux_timespec ts = timespec_from_ns((int64_t)usage_ran_ns(process));
	return copy_to_user(now, &ts, sizeof(ts));
}

long sys_clock_getres(int clock, struct linux_timespec *resolution)
{
	return time_clock_getres(clock_process(clock) ? CLOCK_PROCESS_CPUTIME : clock, resolution);
}

long sys_gettimeofday(struct linux_timeval *now, void *zone)
{
	pay_for_look();
	return time_gettimeofday(now, zone);
}

long sys_time(long *now)
{
	pay_for_look();
	return time_time(now);
}
