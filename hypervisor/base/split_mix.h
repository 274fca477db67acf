/* SPDX-License-Identifier: MIT */
/* Numbers from a seed: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). The state is a counter. */
#ifndef HYPERVISOR_SPLIT_MIX_H
#define HYPERVISOR_SPLIT_MIX_H

#include <stdint.h>

/** What each number adds to the state. */
#define SPLIT_MIX_GAMMA 0x9e3779b97f4a7c15UL

/** The number of a state that was already advanced. */
static inline uint64_t split_mix_of(uint64_t state)
{
	state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9UL;
	state = (state ^ state >> 27) * 0x94d049bb133111ebUL;
	return state ^ state >> 31;
}

/** Advances the state, and returns its number. */
static inline uint64_t split_mix_next(uint64_t *state)
{
	return split_mix_of(*state += SPLIT_MIX_GAMMA);
}

#endif
