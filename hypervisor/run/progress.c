/* SPDX-License-Identifier: MIT */
/* Progress of a guest. A change counts from the look that saw it, so no verdict comes too early. */
#include "run/progress.h"

#include "abi/ticks.h"

#define STALL_NS (PROGRESS_STALL_S * 1000000000UL)

uint64_t progress_ticks(uint64_t limit, int64_t left)
{
	return limit - (uint64_t)(left >> TICKS_LEFT_SHIFT);
}

enum progress_verdict progress_look(struct progress *progress, const struct progress_sight *sight, uint64_t now_ns)
{
	const struct progress_sight *last = &progress->last;
	bool point = !progress->looked || sight->decisions != last->decisions || sight->asked_at != last->asked_at ||
	             sight->doorbells != last->doorbells;
	bool tick = sight->ticks != last->ticks;
	progress->looked = true;
	progress->last = *sight;
	if (point)
		progress->point_ns = now_ns;
	if (point || tick)
		progress->tick_ns = now_ns;
	if (now_ns - progress->tick_ns >= STALL_NS)
		return PROGRESS_NONE;
	if (now_ns - progress->point_ns >= STALL_NS && sight->asked_at == UINT64_MAX)
		return PROGRESS_NO_POINT;
	return PROGRESS_GOES_ON;
}
