/* SPDX-License-Identifier: MIT */
/* What the library in the place of libtsan (tsan/) tells the monitor about the races that it finds in a program which
 * was compiled with -fsanitize=thread. Its system call, eremite_race, passes the report on by DOORBELL_RACE. */
#ifndef ABI_RACE_H
#define ABI_RACE_H

#include <stddef.h>
#include <stdint.h>

#define RACE_CALL 401 /**< number of the system call, which Linux uses for nothing */
#define RACE_FRAMES 24

enum race_report_kind {
	RACE_REPORT_BEGIN, /**< the library is there, and looks for races */
	RACE_REPORT_RACE,  /**< the library has found a race; it reports each pair of instructions once in a process */
	RACE_REPORT_END,   /**< the process ends; only what was lost is set */
};

/* race_side.flags */
#define RACE_WRITES 1U
#define RACE_ATOMIC 2U
#define RACE_FREES 4U /**< the memory is freed */

/** An access. */
struct race_side {
	uint64_t address;
	uint32_t bytes;
	uint32_t flags;
	uint32_t thread; /**< counted from 1, in the order in which the process has made its threads; 0: not known */
	uint32_t frames; /**< number of pc[] */
	uint64_t pc[RACE_FRAMES]; /**< return addresses: of the access, then of the calls, the innermost first */
};

/** The argument of eremite_race. */
struct race_report {
	uint32_t kind;            /**< enum race_report_kind */
	uint32_t is_certain;      /**< 1: nothing that the library does not see may order the accesses; else 0 */
	struct race_side side[2]; /**< the earlier one first */
	uint64_t lost_accesses;   /**< up to now: accesses that were not looked at */
	uint64_t lost_kept;       /**< accesses that were forgotten for lack of room */
	uint64_t lost_races;
};

_Static_assert(sizeof(struct race_side) == 216, "race_side");
_Static_assert(sizeof(struct race_report) == 464, "race_report");

#endif
