/* SPDX-License-Identifier: MIT */
/* Finds threads of a Linux program that busy-wait, that is, wait in a loop which only another thread can end: `while
 * (!ready);`.
 *
 * If a guest passes no point at which another thread could run for a while, the monitor single-steps it. If its thread
 * returns to an earlier state (registers, flags and the memory that it has written since), it would repeat that state
 * for ever. The number of iterations before the look then makes no difference. The thread yields at a place that
 * depends only on the loop. */
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

/** The old value of memory that the loop writes. */
struct spin_write {
	uint64_t address;
	uint64_t bytes;
	uint64_t value;
};

/** All zero except the fields that spin_init sets. */
struct spin {
	const struct engine_ops *ops;
	struct engine *engine;
	const struct guest_memory *memory;
	const struct image *image;
	struct progress_sight last; /**< counts at the last look */
	uint64_t interval_ns;       /**< time from the last look to the next */
	uint64_t began_ns;          /**< when the last search began */
	uint64_t not_before_ns;     /**< earliest time of the next search */
	unsigned effort;            /**< length factor of the search, from 1 */
	bool has_threads;           /**< the guest had more than one thread at the last look */
	enum spin_phase {
		SPIN_OFF,
		SPIN_SEARCHING, /**< searching for a state that occurred before */
		SPIN_PROVING,   /**< stepping one more iteration, to check the memory that it writes */
		SPIN_PLACING,   /**< stepping to the place where the thread yields */
		SPIN_STAYING,   /**< stepping one more iteration from the place where the thread yielded */
		SPIN_MOVING,    /**< stepping to the next instruction, where the thread yields this time */
	} phase;
	/**
	 * Registers without the trap flag. While searching: the states so far; later: the states of the loop, in
	 * order. SPIN_STEPS_MAX of them.
	 */
	struct engine_registers *states;
	unsigned count;    /**< while searching: number of states; later: steps in the loop */
	unsigned length;   /**< later: number of states in the loop */
	unsigned shorter;  /**< while searching: length that was no loop, as a proof has shown; 0: none */
	unsigned patience; /**< steps after which the search stops in any case; jitter sometimes makes it small */
	unsigned others;   /**< while searching: how often it reached a known place with other registers */
	unsigned seen;     /**< states of the last search, if it found no busy-wait; else 0 */
	bool saw_part;     /**< that search ended before its limits */
	bool found;        /**< a busy-wait was found since the last look */
	bool changes;      /**< the loop changes memory outside its stack and restores it */
	struct spin_write writes[SPIN_WRITES_MAX];
	unsigned write_count;
	/**
	 * Vector registers in this iteration, as struct instruction_effect has them: those written so far, and those
	 * that were read before. If it writes one of the latter, an iteration depends on the one before.
	 */
	uint32_t vector_written, vector_carried;
};

/** Initialises, before the first look. */
void spin_init(struct spin *spin, const struct engine_ops *ops, struct engine *engine,
               const struct guest_memory *memory, const struct image *image);

/**
 * Looks at time now_ns at a guest that was interrupted between two instructions, and may start to single-step it.
 * `has_threads`: the guest has created a thread besides the first. Returns the nanoseconds until the next look.
 */
uint64_t spin_look(struct spin *spin, const struct progress_sight *sight, bool has_threads, uint64_t now_ns);

/** A key that makes a signal was typed: steps a guest that was interrupted in its program, so that its kernel comes to
 * take the key. To be called again until it has. */
void spin_interrupt(struct spin *spin);

/** Serves DOORBELL_STEP with its arguments. Returns the answer. */
int64_t spin_step(struct spin *spin, uint64_t frame, uint64_t length, uint64_t now_ns);

#endif
