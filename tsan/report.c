/* SPDX-License-Identifier: MIT */
/* A pair of instructions is told once. The report is on the thread's own stack, because another thread may run before
 * the kernel has taken it. */
#include "tsan.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/race.h"

#define PAIRS_MAX 1024U
#define TABLE (2 * PAIRS_MAX)

static struct {
	uint64_t pc[2];
} told[TABLE];
static uint32_t told_count;

static long call(const struct race_report *report)
{
	long result;
	__asm__ volatile("syscall" : "=a"(result) : "a"((long)RACE_CALL), "D"(report) : "rcx", "r11", "memory");
	return result;
}

/* Whether a pair is new and there is room for it. */
static bool is_new(uint64_t low, uint64_t high)
{
	uint32_t at = (uint32_t)((low ^ high * 31) * 0x9e3779b97f4a7c15UL >> 40) % TABLE;
	for (; told[at].pc[0]; at = (at + 1) % TABLE)
		if (told[at].pc[0] == low && told[at].pc[1] == high)
			return false;
	if (told_count == PAIRS_MAX) {
		tsan_lost.races++;
		return false;
	}
	told_count++;
	told[at].pc[0] = low;
	told[at].pc[1] = high;
	return true;
}

static void fill_side(struct race_side *side, const struct access *access)
{
	side->address = access->address;
	side->bytes = access->bytes;
	side->thread = access->thread;
	side->flags = (access->flags & ACCESS_WRITE ? RACE_WRITES : 0) |
	              (access->flags & ACCESS_ATOMIC ? RACE_ATOMIC : 0) |
	              (access->flags & ACCESS_FREE ? RACE_FREES : 0);
	side->frames = site_stack(access->site, side->pc, RACE_FRAMES);
}

static void fill_lost(struct race_report *report)
{
	report->lost_accesses = tsan_lost.accesses;
	report->lost_kept = tsan_lost.kept;
	report->lost_races = tsan_lost.races;
}

/* Whether a library that is not instrumented orders threads by plain loads and stores: that of OpenMP. */
static bool is_blind(void)
{
	static int known;
	if (!known)
		known = 1 + (dlsym(RTLD_DEFAULT, "GOMP_parallel") || dlsym(RTLD_DEFAULT, "__kmpc_fork_call"));
	return known == 2;
}

void report_race(const struct access *earlier, const struct access *later)
{
	struct race_report report = {.kind = RACE_REPORT_RACE};
	fill_side(&report.side[0], earlier);
	fill_side(&report.side[1], later);
	const uint64_t a = report.side[0].pc[0], b = report.side[1].pc[0];
	if (!is_new(a < b ? a : b, a < b ? b : a))
		return;
	report.is_certain = !is_blind();
	fill_lost(&report);
	call(&report);
}

bool report_begin(void)
{
	const struct race_report report = {.kind = RACE_REPORT_BEGIN};
	return !call(&report);
}

void report_end(void)
{
	struct race_report report = {.kind = RACE_REPORT_END};
	fill_lost(&report);
	if (tsan_lost.accesses || tsan_lost.kept || tsan_lost.races)
		call(&report);
}
