/* SPDX-License-Identifier: MIT */
/* The profile of a run: which thread passed how many decision points on which object, for searches. */
#ifndef ABI_SCHED_PROFILE_H
#define ABI_SCHED_PROFILE_H

#include <stdint.h>

/** The decision points of a thread on an object while other threads were alive (kernel/sched/accesses.c). */
struct sched_access {
	uint64_t object; /**< address; 0: points on no object */
	uint32_t thread; /**< its number; 0: the entry is free */
	uint32_t stores; /**< points before operations other than loads; 0 for no object */
	uint64_t points;
};

_Static_assert(sizeof(struct sched_access) == 24, "sched_access");

#define SCHED_ACCESSES_SHIFT 16
#define SCHED_ACCESSES (1U << SCHED_ACCESSES_SHIFT)

/** With SCHED_FLAG_ACCESSES. */
struct sched_profile {
	uint64_t used;        /**< entries in use */
	uint64_t lost;        /**< points for which there was no entry */
	uint64_t start;       /**< decisions before the policy started (--from) */
	uint64_t first, last; /**< decisions from there up to the first and last point while several threads were alive;
	                       * 0: none */
	struct sched_access accesses[SCHED_ACCESSES];
};

#endif
