/* SPDX-License-Identifier: MIT */
/* Pseudo-random numbers in one sequence for the whole program: rand(3), random(3), drand48(3). newlib has a sequence
 * for each thread; all begin alike, and srand seeds only the caller's. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t last = 1; /* state of rand and random */

void srand(unsigned seed)
{
	last = seed;
}

/* Knuth, The Art of Computer Programming, volume 2, 3.3.4, table 1, line 26. Gives the same numbers as newlib's. */
int rand(void)
{
	last = last * 6364136223846793005 + 1;
	return (int)(last >> 32 & RAND_MAX);
}

void srandom(unsigned seed)
{
	srand(seed);
}

long random(void)
{
	return rand();
}

#define MULTIPLIER 0x5deece66dUL
#define ADDEND 0xb
#define STATE_BITS 48

static struct {
	unsigned short seed[3];
	uint64_t multiplier, addend;
} state48 = {{0x330e, 0xabcd, 0x1234}, MULTIPLIER, ADDEND};

/* Computes the next state, of 48 bits. */
static uint64_t next_state(unsigned short seed[3])
{
	uint64_t x = seed[0] | (uint64_t)seed[1] << 16 | (uint64_t)seed[2] << 32;
	x = (x * state48.multiplier + state48.addend) & ((1UL << STATE_BITS) - 1);
	seed[0] = (unsigned short)x;
	seed[1] = (unsigned short)(x >> 16);
	seed[2] = (unsigned short)(x >> 32);
	return x;
}

double erand48(unsigned short seed[3])
{
	return (double)next_state(seed) / (double)(1UL << STATE_BITS);
}

long nrand48(unsigned short seed[3])
{
	return (long)(next_state(seed) >> 17);
}

long jrand48(unsigned short seed[3])
{
	return (int32_t)(next_state(seed) >> 16);
}

double drand48(void)
{
	return erand48(state48.seed);
}

long lrand48(void)
{
	return nrand48(state48.seed);
}

long mrand48(void)
{
	return jrand48(state48.seed);
}

unsigned short *seed48(unsigned short seed[3])
{
	static unsigned short old[3];
	memcpy(old, state48.seed, sizeof(old));
	memcpy(state48.seed, seed, sizeof(old));
	state48.multiplier = MULTIPLIER;
	state48.addend = ADDEND;
	return old;
}

void srand48(long seed)
{
	unsigned short words[3] = {0x330e, (unsigned short)seed, (unsigned short)(seed >> 16)};
	seed48(words);
}

void lcong48(unsigned short parameters[7])
{
	memcpy(state48.seed, parameters, sizeof(state48.seed));
	state48.multiplier = parameters[3] | (uint64_t)parameters[4] << 16 | (uint64_t)parameters[5] << 32;
	state48.addend = parameters[6];
}
