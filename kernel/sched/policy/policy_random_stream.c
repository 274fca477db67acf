/* SPDX-License-Identifier: MIT */
/* The scheduler's random numbers: ChaCha20 (RFC 8439) keyed from --sched-seed. They are independent of --seed and of
 * the program's random numbers. The current block is in the schedule area. */
#include "kernel/lib/bug.h"
#include "kernel/rand/chacha20.h"
#include "kernel/sched/policy_state.h"

#define FRACTION_BITS 57 /* bits of a logarithm's fraction; 7 more bits hold 0 to 64 */

static uint64_t *block_words(void)
{
	return sched_area()->policy + POLICY_OWN_WORDS;
}

void policy_random_init(void)
{
	*policy_state(STATE_STREAM) = 0;
}

uint64_t policy_random_word(void)
{
	/* The label, "Eremite scheduler stream", keeps this stream apart from those of kernel/rand/entropy.c. */
	static const uint32_t label[6] = {0x6d657245, 0x20657469, 0x65686373, 0x656c7564, 0x74732072, 0x6d616572};
	uint64_t drawn = (*policy_state(STATE_STREAM))++;
	uint64_t *words = block_words();
	if (drawn % POLICY_STREAM_WORDS == 0) {
		uint64_t seed = sched_boot()->seed;
		uint32_t key[CHACHA20_KEY_WORDS] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
		for (unsigned i = 0; i < 6; i++)
			key[2 + i] = label[i];
		chacha20_block(key, drawn / POLICY_STREAM_WORDS, 0, (uint8_t *)words);
	}
	return words[drawn % POLICY_STREAM_WORDS];
}

/* Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019. */
uint64_t policy_random_below(uint64_t below)
{
	assert(below > 0);
	if (below == 1)
		return 0;
	unsigned __int128 product = (unsigned __int128)policy_random_word() * below;
	if ((uint64_t)product < below) {
		uint64_t surplus =
			-below % below; /* the numbers, out of 2^64, that would make some results more likely */
		while ((uint64_t)product < surplus)
			product = (unsigned __int128)policy_random_word() * below;
	}
	return (uint64_t)(product >> 64);
}

/* The logarithm to base 2, with FRACTION_BITS fraction bits; each squaring of the mantissa yields the next bit. 0 means
 * 2^64. */
static uint64_t logarithm(uint64_t x)
{
	if (!x)
		return 64UL << FRACTION_BITS;
	unsigned top = 63 - (unsigned)__builtin_clzl(x);
	uint64_t mantissa = x << (63 - top), result = (uint64_t)top << FRACTION_BITS;
	for (int bit = FRACTION_BITS - 1; bit >= 0; bit--) {
		unsigned __int128 square = (unsigned __int128)mantissa * mantissa >> 63;
		bool carry = square >> 64;
		mantissa = (uint64_t)(square >> carry);
		result |= (uint64_t)carry << bit;
	}
	return result;
}

/* By inversion: more than k trials fail with probability (1 - p)^k, so k = log(u) / log(1 - p), rounded down. */
uint64_t policy_random_distance(uint64_t chance)
{
	if (!chance)
		return 1;
	uint64_t one = 64UL << FRACTION_BITS;
	uint64_t failure = one - logarithm(-chance);
	return (one - logarithm(policy_random_word() + 1)) / failure + 1;
}

unsigned policy_choose_any(const struct sched_choice *choice)
{
	return (unsigned)policy_random_below(policy_choice_count(choice));
}
