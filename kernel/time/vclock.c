/* SPDX-License-Identifier: MIT */
/* Virtual clock. now = limit - left, so that work changes only one variable. */
#include "kernel/time/vclock.h"

#include "abi/stats.h"
#include "abi/ticks.h"
#include "kernel/lib/bug.h"

bool vclock_counts_work;

uint64_t __eremite_ticks_back __attribute__((visibility("default")));

/* The time left for work after the last jump: more than any run uses. The countdown needs half a year of it. */
#define DAY_NS 86400000000000UL
#define TICKS_MARGIN_NS (365 * DAY_NS)
#define REAL_MARGIN_NS (30 * DAY_NS)

_Static_assert(TICKS_MARGIN_NS > (INT64_MAX >> (TICKS_LEFT_SHIFT + 1)) / TICKS_PER_NS, "vclock_arm");

static int64_t epoch;
static uint64_t uptime;
static uint64_t jumped; /* nanoseconds that passed in jumps */

static uint64_t *limit(void)
{
	struct sched_shared *shared = phys_to_virt(LAYOUT_SCHED);
	return &shared->limit;
}

void vclock_init(int64_t epoch_ns, uint64_t uptime_ns)
{
	epoch = epoch_ns;
	uptime = uptime_ns;
	*limit() = 0;
	__eremite_ticks_left = 0;
}

__attribute__((noinline)) uint64_t vclock_ticks(void)
{
	return vclock_ticks_inline();
}

uint64_t vclock_now(void)
{
	return vclock_ticks() / TICKS_PER_NS;
}

uint64_t vclock_since_boot(uint64_t moment_ns)
{
	return uptime + moment_ns;
}

uint64_t vclock_monotonic(void)
{
	return vclock_since_boot(vclock_now());
}

int64_t vclock_realtime(void)
{
	return epoch + (int64_t)vclock_now();
}

uint64_t vclock_cpu(void)
{
	return vclock_now() - jumped;
}

uint64_t vclock_cpu_due(const struct process *process, uint64_t cpu_ns)
{
	(void)process;
	return cpu_ns + jumped;
}

uint64_t vclock_end(void)
{
	uint64_t ticks = UINT64_MAX / TICKS_PER_NS - TICKS_MARGIN_NS;
	uint64_t real = (uint64_t)INT64_MAX - (uint64_t)epoch - REAL_MARGIN_NS;
	return ticks < real ? ticks : real;
}

void vclock_advance(uint64_t ns)
{
	__asm__ volatile("sub %[ticks], %[left]"
	                 : [left] "+m"(__eremite_ticks_left)
	                 : [ticks] "r"(ns * TICKS_PER_NS << TICKS_LEFT_SHIFT)
	                 : "cc");
}

long vclock_pay(void)
{
	long owed = __eremite_ticks_owed;
	__eremite_ticks_owed = 0;
	__asm__ volatile("sub %[owed], %[left]" : [left] "+m"(__eremite_ticks_left) : [owed] "r"(owed) : "cc");
	return owed;
}

void vclock_owe(long owed)
{
	__eremite_ticks_owed = owed;
	__asm__ volatile("add %[owed], %[left]" : [left] "+m"(__eremite_ticks_left) : [owed] "r"(owed) : "cc");
}

void vclock_jump(uint64_t now_ns)
{
	assert(now_ns <= vclock_end());
	uint64_t now = vclock_ticks(), then = now_ns * TICKS_PER_NS;
	if (then <= now)
		return;
	jumped += now_ns - now / TICKS_PER_NS;
	__asm__ volatile("add %[ticks], %[limit]" : [limit] "+m"(*limit()) : [ticks] "r"(then - now) : "cc");
}

void vclock_arm(uint64_t due_ticks)
{
	uint64_t now = vclock_ticks_inline();
	uint64_t far = now + (INT64_MAX >> (TICKS_LEFT_SHIFT + 1)); /* the countdown is signed */
	*limit() = due_ticks < now ? now : due_ticks < far ? due_ticks : far;
	__eremite_ticks_left = (long)((*limit() - now) << TICKS_LEFT_SHIFT);
}

void vclock_close(void)
{
	struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
	vclock_pay();
	uint64_t now = vclock_ticks();
	stats->virtual_ns = now / TICKS_PER_NS;
	*limit() = now;
	__eremite_ticks_left = 0;
	__eremite_ticks_back = 0;
}
