/* SPDX-License-Identifier: MIT */
/* Random numbers by SplitMix64. Its state is a counter, so an atomic addition draws a number, also in signal handlers.
 */
#include "base/jitter.h"

#include <time.h>

#include "base/split_mix.h"

/* One of STALL_ONE_IN calls of jitter_stall sleeps, for less than STALL_NS. */
#define STALL_ONE_IN 16
#define STALL_NS 200000UL

/* Intervals are shorter than this; one in SHORT_ONE_IN is much shorter, down to a few hundred instructions. */
#define INTERVAL_NS 200000UL
#define SHORT_ONE_IN 4
#define SHORT_HALVINGS 10

static bool on;
static uint64_t state;

void jitter_begin(uint64_t seed)
{
	state = seed;
	on = true;
}

bool jitter_is_on(void)
{
	return on;
}

static uint64_t draw_jitter(void)
{
	return split_mix_of(__atomic_add_fetch(&state, SPLIT_MIX_GAMMA, __ATOMIC_RELAXED));
}

uint64_t jitter_below(uint64_t limit)
{
	return on ? draw_jitter() % limit : 0;
}

bool jitter_one_in(uint64_t count)
{
	return on && draw_jitter() % count == 0;
}

uint64_t jitter_instead(uint64_t usual, uint64_t limit)
{
	return on ? 1 + draw_jitter() % limit : usual;
}

uint64_t jitter_interval_ns(uint64_t usual_ns)
{
	uint64_t halvings = jitter_one_in(SHORT_ONE_IN) ? jitter_below(SHORT_HALVINGS) : 0;
	return jitter_instead(usual_ns, INTERVAL_NS >> halvings);
}

void jitter_stall(void)
{
	if (!jitter_one_in(STALL_ONE_IN))
		return;
	const struct timespec time = {.tv_nsec = (long)jitter_below(STALL_NS)};
	nanosleep(&time, NULL);
}
