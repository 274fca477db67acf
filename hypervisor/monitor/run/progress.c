/* SPDX-License-Identifier: MIT */
/* Progress of a guest. A change counts from the look that saw it, so no verdict comes too early. */
#include "run/progress.h"

#include "abi/ticks.h"

#define STALL_NS (PROGRESS_STALL_S * 1000000000UL)

/* A loop that waits, and only that, passes virtual time faster than real time: an iteration takes 1 us and costs some
 * 10 ns. Computing with points of --preempt passes 1 ns at a store, 7 ns at a locked instruction, 10 ns in an iteration
 * of a loop that may be no wait. A program whose threads compute for milliseconds between barriers, where they wait,
 * passes up to 10 times the real time. */
#define WAITS_TICKS (20 * STALL_NS * TICKS_PER_NS)
#define JUMP_FACTOR 1000UL /* virtual time that passes faster than this has jumped */

/* Yields of one thread, or of several, in at least STALL_NS. One costs 0.2 us, or some microseconds by `pause`. Threads
 * that compute for more than 10 us between them make fewer. */
#define YIELDS_ONE 100000UL
#define YIELDS_SEVERAL 1000000UL

/* A handler that a timer starts again at once: so many returns, after at most 10 us of virtual time each. */
#define RETURNS_MIN 1000UL
#define RETURN_TICKS (10000UL * TICKS_PER_NS)

uint64_t progress_ticks(uint64_t limit, int64_t left)
{
	return limit - (uint64_t)(left >> TICKS_LEFT_SHIFT);
}

/* Notes what a look says about system calls, before the look replaces the last one. */
static void note_calls(struct progress *progress, const struct progress_sight *sight, uint64_t now_ns)
{
	const struct progress_sight *last = &progress->last;
	const uint64_t passed = sight->ticks - last->ticks;
	const uint64_t most = (now_ns - progress->look_ns) * JUMP_FACTOR * TICKS_PER_NS;
	progress->look_ns = now_ns;
	if (!progress->looked || sight->calls != last->calls || sight->doorbells != last->doorbells) {
		progress->called = *sight;
		progress->called_ns = now_ns;
		progress->passed_ticks = 0;
		progress->several = false;
		return;
	}
	progress->passed_ticks += passed < most ? passed : most;
	progress->several |= sight->thread != progress->called.thread;
}

/* Whether a guest that has made no call for STALL_NS only waits, or only handles signals. */
static enum progress_verdict verdict_on_calls(const struct progress *progress)
{
	const struct progress_sight *from = &progress->called, *to = &progress->last;
	const uint64_t ticks = progress->passed_ticks, returns = to->returns - from->returns;
	if (returns >= RETURNS_MIN && ticks / returns <= RETURN_TICKS)
		return PROGRESS_HANDLES;
	if (ticks >= WAITS_TICKS || to->yields - from->yields >= (progress->several ? YIELDS_SEVERAL : YIELDS_ONE))
		return PROGRESS_WAITS;
	return PROGRESS_GOES_ON;
}

enum progress_verdict progress_look(struct progress *progress, const struct progress_sight *sight, uint64_t now_ns)
{
	const struct progress_sight *last = &progress->last;
	bool point = !progress->looked || sight->decisions != last->decisions || sight->asked_at != last->asked_at ||
	             sight->doorbells != last->doorbells;
	bool tick = sight->ticks != last->ticks;
	note_calls(progress, sight, now_ns);
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
	return now_ns - progress->called_ns >= STALL_NS ? verdict_on_calls(progress) : PROGRESS_GOES_ON;
}
