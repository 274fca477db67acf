/* SPDX-License-Identifier: MIT */
/* clock_gettime(2), gettimeofday(2) and time(2): the clocks of processes (clock_getcpuclockid(3)), and the cost of
 * reading clocks.
 *
 * Work between calls takes no virtual time. A program that works until a deadline would do hundreds of times the work
 * it does natively, and run out of memory if it collects results. Therefore reads of clocks cost more, the more of them
 * there are, as long as they are most of the program's calls: in the end as much as some work would cost. With --clock
 * work this is so only where the work has no places: a read costs no more than before if as much time has passed. */
#include "kernel/linux/time/clock.h"

#include "abi/errno.h"
#include "abi/layout.h"
#include "abi/linux.h"
#include "abi/stats.h"
#include "kernel/arch/direct_map.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/time/usage.h"
#include "kernel/sys/sys.h"
#include "kernel/sys/time.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

#define LOOK_NS_MAX 10000 /* the time of five iterations of a loop in Python */

/* Cost of reading processor time: the program has worked since the last read, and measures how long. Programs that
 * double their work until it takes a tenth of a second (gpg-agent), or a second, must come to an end. */
#define WORK_NS_MIN 1000UL
#define WORK_DOUBLINGS_MAX 20 /* 1.05 s */

/* Count of clock reads of one kind; other calls between them lower it. */
struct looks {
	uint64_t count;
	uint64_t others; /* calls of other kinds until the last read */
	uint64_t paid_at;
};

static uint64_t all_looks;

/* Counts one more read of a clock; each other call since the last one takes one back. Returns the count before. */
static uint64_t take_look(struct looks *looks, uint64_t max)
{
	const struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
	uint64_t others = stats->events - ++all_looks, between = others - looks->others;
	uint64_t before = looks->count > between ? looks->count - between : 0;
	looks->others = others;
	looks->count = before < max ? before + 1 : max;
	return before;
}

/* Charges what a read costs in a series, which ends if time has been counted meanwhile, at least as much as that. */
static void pay(struct looks *looks, uint64_t cost)
{
	const uint64_t now = vclock_now();
	if (vclock_counts_work && now - looks->paid_at >= cost)
		looks->count = 0;
	else
		vclock_advance(cost);
	looks->paid_at = vclock_now();
}

/* Charges a clock read. In a series of reads without other calls between them, each one costs 1 ns more than the last,
 * up to LOOK_NS_MAX. */
static void pay_for_look(void)
{
	static struct looks looks;
	pay(&looks, take_look(&looks, LOOK_NS_MAX));
}

void clock_pay_for_work(void)
{
	static struct looks looks;
	pay(&looks, WORK_NS_MIN << take_look(&looks, WORK_DOUBLINGS_MAX));
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
	if (process || clock == CLOCK_THREAD_CPUTIME || clock_thread(clock) >= 0)
		clock_pay_for_work();
	else
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

/* Setting CLOCK_REALTIME, the only clock that can be set on Linux, is refused with EPERM. */
long sys_clock_settime(int clock, const struct linux_timespec *time)
{
	struct linux_timespec ts;
	if (clock > 0 || (clock < 0 && !clock_process(clock) && clock_thread(clock) < 0))
		return -EINVAL;
	if (copy_from_user(&ts, time, sizeof(ts)))
		return -EFAULT;
	return clock < 0 || timespec_to_ns(&ts) >= 0 ? -EPERM : -EINVAL;
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
