/* SPDX-License-Identifier: MIT */
/* The run's hash chain: every event is folded into 128 bits by multiplication.
 *
 * It is cheap (2 ns) and detects any difference that is not contrived. Outside, the run digest closes it with
 * SHA-256. */
#ifndef KERNEL_LIB_CHAIN_H
#define KERNEL_LIB_CHAIN_H

#include <stdint.h>

/** Folds one event of two words into the chain. */
static inline void chain_add(uint64_t chain[2], uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)(chain[0] ^ a ^ 0x9e3779b97f4a7c15UL) * 0xd6e8feb86659fd93UL;
	uint64_t low = (uint64_t)product, high = (uint64_t)(product >> 64);
	uint64_t second = (chain[1] << 29 | chain[1] >> 35) + (b ^ 0xa0761d6478bd642fUL) * 0xe7037ed1a0b428dbUL;
	chain[0] = low ^ high ^ second;
	chain[1] = second + low;
}

#endif
