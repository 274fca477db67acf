/* SPDX-License-Identifier: MIT */
/* Random numbers by SplitMix64 (Steele, Lea and Flood, 2014). Its state is a counter, so an atomic addition draws a
 * number, also in signal handlers. */
#include "base/jitter.h"

#include <time.h>

/* One of STALL_ONE_IN calls of jitter_stall sleeps, for less than STALL_NS. */
#define STALL_ONE_IN 16
#define STALL_NS 200000UL

/* Intervals are shorter than this; one in SHORT_ONE_IN is much shorter, down to a few hundred instructions. */
#define INTERVAL_NS 200000UL
#define SHORT_ONE_IN 4
#define SHORT_HALVINGS 10

#define GOLDEN_GAMMA 0x9e3779b97f4a7c15UL

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

static uint64_t draw(void)
{
	uint64_t z = __atomic_add_fetch(&state, GOLDEN_GAMMA, __ATOMIC_RELAXED);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
	return z ^ (z >> 31);
}

uint64_t jitter_below(uint64_t limit)
{
	return on ? draw() % limit : 0;
}

bool jitter_one_in(uint64_t count)
{
	return on && draw() % count == 0;
}

uint64_t jitter_instead(uint64_t usual, uint64_t limit)
{
	return on ? 1 + draw() % limit : usual;
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
