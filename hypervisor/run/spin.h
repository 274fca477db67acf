/* SPDX-License-Identifier: MIT */
/* Finds threads of a Linux program that wait in a loop in which nothing changes but by others: `while (!ready);`.
 *
 * A guest that has done nothing for a while by which another thread could go on is stepped, one instruction at a time.
 * If its thread comes to a state in which it was before - registers, flags, and what it has written to meanwhile - then
 * it would for ever, and it makes no difference how often it did before it was looked at: it makes way at a place that
 * depends on nothing but the loop. */
#ifndef HYPERVISOR_SPIN_H
#define HYPERVISOR_SPIN_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/doorbell.h"
#include "engine/engine.h"
#include "guest/guest_memory.h"
#include "guest/image.h"
#include "run/progress.h"

#define SPIN_STEPS_MAX 1024
#define SPIN_WRITES_MAX 64

/** Memory that was written to, as it was before. */
struct spin_write {
	uint64_t address;
	uint64_t bytes;
	uint64_t value;
};

/** All zero but for what spin_init sets. */
struct spin {
	const struct engine_ops *ops;
	struct engine *engine;
	const struct guest_memory *memory;
	const struct image *image;
	struct progress_sight last; /**< at the last look */
	uint64_t interval_ns;       /**< from that to the next */
	uint64_t began_ns;          /**< when it began to step, last */
	uint64_t not_before_ns;     /**< when it may again */
	unsigned effort;            /**< how long it searches, from 1 */
	bool has_threads;           /**< more than one, at the last look */
	enum spin_phase {
		SPIN_OFF,
		SPIN_SEARCHING, /**< for a state that was there before */
		SPIN_PROVING,   /**< going round once more, with an eye on memory */
		SPIN_PLACING,   /**< on the way to where it makes way */
		SPIN_STAYING,   /**< going round once more, from where it has made way */
		SPIN_MOVING,    /**< to the next instruction from there, where it makes way this time */
	} phase;
	/** Without the trap flag. Searching: where it was so far; then: where it is in the loop, one after the other.
	 */
	struct engine_registers states[SPIN_STEPS_MAX];
	unsigned count;    /**< searching: of the states; then: steps in the loop */
	unsigned length;   /**< then: of the states */
	unsigned patience; /**< steps after which it gives up in any case: few with jitter, sometimes */
	unsigned others;   /**< searching: how often it came to a known place with other registers */
	bool found;        /**< since the last look */
	bool changes;      /**< memory was another one on the way, elsewhere than on its stack */
	struct spin_write writes[SPIN_WRITES_MAX];
	unsigned write_count;
};

/** Before the first look. */
void spin_init(struct spin *spin, const struct engine_ops *ops, struct engine *engine,
               const struct guest_memory *memory, const struct image *image);

/**
 * Looks, at the moment now_ns, at a guest that was interrupted between two instructions, and may have it step.
 * `has_threads`: it has made any besides the first. Returns after how many nanoseconds it is to be looked at again.
 */
uint64_t spin_look(struct spin *spin, const struct progress_sight *sight, bool has_threads, uint64_t now_ns);

/** DOORBELL_STEP, with its arguments. What is answered. */
int64_t spin_step(struct spin *spin, uint64_t frame, uint64_t length, uint64_t now_ns);

#endif
