/* SPDX-License-Identifier: MIT */
#include "placement.h"

#include <string.h>
#include <time.h>

#include "base/beside.h"

/* How often to look whether the turn changes often. A wait of the main thread that is as long is one of a guest that
 * computes. */
#define LOOK_NS 10000000UL

/* From so many turns between two looks on, sharing a processor saves more than moving costs. */
#define OFTEN 20

/* After so many looks they are apart until the next, so that the host can move them off a processor that is busy. */
#define LOOKS_TOGETHER 16

_Static_assert(sizeof(cpu_set_t) == sizeof(((struct plan *)0)->processors), "a set is as large in the plan");

static uint64_t clock_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* The host may refuse, as its control group says: nothing depends on it. */
static void change(struct placement *placement, struct plan *plan, bool together)
{
	cpu_set_t set = placement->all;
	int here = sched_getcpu();
	if (together && here >= 0 && here < CPU_SETSIZE) {
		CPU_ZERO(&set);
		CPU_SET(here, &set);
	}
	sched_setaffinity(0, sizeof(set), &set);
	memcpy(plan->processors, &set, sizeof(set));
	__atomic_store_n(&plan->placement, plan->placement + 1, __ATOMIC_RELEASE);
	placement->together = together;
	placement->looks = 0;
}

void placement_begin(struct placement *placement, struct plan *plan)
{
	placement->several =
		!sched_getaffinity(0, sizeof(placement->all), &placement->all) && CPU_COUNT(&placement->all) > 1;
	if (!placement->several)
		return;
	beside_remember(&placement->all);
	placement->next_ns = clock_ns() + LOOK_NS;
	change(placement, plan, true);
}

bool placement_decide(struct placement *placement, uint64_t turns, uint64_t now_ns)
{
	if (now_ns < placement->next_ns)
		return placement->together;
	uint64_t all = placement->given + turns;
	bool often = all - placement->turns >= OFTEN;
	placement->turns = all;
	placement->next_ns = now_ns + LOOK_NS;
	return often && (!placement->together || ++placement->looks < LOOKS_TOGETHER);
}

bool placement_look(struct placement *placement, struct plan *plan, uint64_t turns, bool waited)
{
	if (!placement->several)
		return false;
	placement->given += !waited;
	if (!waited && placement->given % OFTEN) /* time is not asked for at each turn */
		return false;
	bool was = placement->together, together = placement_decide(placement, turns, clock_ns());
	if (together != was)
		change(placement, plan, together);
	return was && !together;
}

uint64_t placement_wait_ns(const struct placement *placement)
{
	return placement->several ? LOOK_NS : 0;
}

void placement_end(struct placement *placement)
{
	if (placement->several)
		sched_setaffinity(0, sizeof(placement->all), &placement->all);
}
