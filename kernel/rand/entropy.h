/* SPDX-License-Identifier: MIT */
/* Entropy: one ChaCha20 stream per consumer (RFC 8439), keyed from the run's seed and the consumer's name. */
#ifndef KERNEL_RAND_ENTROPY_H
#define KERNEL_RAND_ENTROPY_H

#include <stddef.h>
#include <stdint.h>

/** The consumers. Draws by one consumer do not affect the stream of another. */
enum entropy_consumer {
	ENTROPY_PROGRAM, /**< getrandom, /dev/random, RDRAND, AT_RANDOM */
	ENTROPY_NETWORK,
	ENTROPY_FAULTS,
	ENTROPY_LAYOUT, /**< memory layout of a Linux program, with --layout-seed */
	ENTROPY_CONSUMERS
};

/** Keys all streams from the seed. */
void entropy_init(uint64_t seed);

/** Keys the stream of one consumer from a seed of its own, and begins it again. */
void entropy_seed(enum entropy_consumer consumer, uint64_t seed);

/** Draws bytes into kernel memory. */
void entropy_draw(enum entropy_consumer consumer, void *to, size_t bytes);

#endif
