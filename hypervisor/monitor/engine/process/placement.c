/* SPDX-License-Identifier: MIT */
#include "placement.h"

#include <string.h>
#include <time.h>

#include "base/beside.h"

/* Time between two looks at how often the turn changes. If the main thread waits this long, the guest computes. */
#define LOOK_NS 10000000UL

/* Turns between two looks. From this number on, sharing a processor saves more than moving to it costs. */
#define OFTEN 20

/* After this many looks on one processor, the processes may use all processors until the next look. The host can then
 * move them off a busy processor. */
#define LOOKS_TOGETHER 16

_Static_assert(sizeof(cpu_set_t) == sizeof(((struct plan *)0)->processors), "a set is as large in the plan");

static uint64_t clock_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* The host may refuse because of a control group. No result depends on it. */
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
	if (!waited && placement->given % OFTEN) /* reads the clock only once in OFTEN turns */
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
	cpu_set_t others = placement->all;
	const int here = sched_getcpu();
	if (!placement->several)
		return;
	if (placement->together && here >= 0 && here < CPU_SETSIZE) {
		CPU_CLR(here, &others);
		sched_setaffinity(0, sizeof(others), &others); /* moves the thread at once */
		placement->together = false;
	}
	sched_setaffinity(0, sizeof(placement->all), &placement->all);
}
