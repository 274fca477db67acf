/* SPDX-License-Identifier: MIT */
/* Entropy: ChaCha20 streams (RFC 8439). Each consumer in the kernel has a stream, keyed from the run's seed and the
 * consumer's name. Each process has two, keyed by its place in the tree of processes. */
#ifndef KERNEL_RAND_ENTROPY_H
#define KERNEL_RAND_ENTROPY_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/rand/chacha20.h"

/** The consumers. Draws by one consumer do not affect the stream of another. */
enum entropy_consumer {
	ENTROPY_PROGRAM, /**< of each process: getrandom, /dev/random, AT_RANDOM, memory layout with --seed */
	ENTROPY_NETWORK,
	ENTROPY_FAULTS,
	ENTROPY_LAYOUT, /**< of each process: memory layout of a Linux program, with --layout-seed */
	ENTROPY_BOOT,   /**< /proc/sys/kernel/random/boot_id */
	ENTROPY_CONSUMERS
};

/** A stream. */
struct entropy_stream {
	uint32_t key[CHACHA20_KEY_WORDS];
	uint64_t counter;
	uint8_t block[CHACHA20_BLOCK_BYTES];
	unsigned used; /**< bytes of the block already drawn */
};

/** The streams of a process. Its threads share them. */
struct entropy_process {
	struct entropy_stream program, layout;
	uint64_t children; /**< processes that it has made since its last execve(2) */
};

/** Keys the kernel's streams, and those of the first process, from the seed. */
void entropy_init(struct entropy_process *first, uint64_t seed);

/** Keys the stream of one consumer from a seed of its own, and begins it again. For ENTROPY_PROGRAM and ENTROPY_LAYOUT
 * only before the first process has made another. `process` is as for entropy_draw. */
void entropy_seed(struct entropy_process *process, enum entropy_consumer consumer, uint64_t seed);

/** Draws bytes into kernel memory. ENTROPY_PROGRAM and ENTROPY_LAYOUT draw from the streams of `process`; the others
 * are the kernel's, and `process` may be NULL. */
void entropy_draw(struct entropy_process *process, enum entropy_consumer consumer, void *to, size_t bytes);

/** Keys the streams of a new process by its parent's keys and the number of the child. Draws of the parent have no
 * effect on them. */
void entropy_fork(struct entropy_process *child, struct entropy_process *parent);

/** Keys a process's streams anew because it executes another program. Its earlier draws and children have no
 * effect on them. */
void entropy_execute(struct entropy_process *process);

#endif
