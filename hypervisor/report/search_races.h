/* SPDX-License-Identifier: MIT */
/* The races that the first tries of a search see, whether a try fails or not. */
#ifndef HYPERVISOR_SEARCH_RACES_H
#define HYPERVISOR_SEARCH_RACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "library/json_in.h"

/** One access of a race. */
struct search_access {
	bool reads, writes;
	bool frees;      /**< with `writes`: the memory is given back */
	uint32_t thread; /**< of the first time */
	uint64_t note;   /**< of the first time: number of the note in its try; 0: not known */
	char *key;       /**< the place in its function, which tells races apart; NULL: of results that were read */
	char *place;     /**< "a.c:14", or without a line "function+0x12 (file)" */
	char *frames; /**< the stack, from the innermost inlined function on, separated by newlines; without a look at
	               * it (search_stacks.h) only the function */
};

/** Pairs of instructions of a race that are kept. */
#define SEARCH_RACE_PAIRS 4U

/** Two instructions of a race, as sites (abi/sched_reads.h): of its first access and its second one. */
struct search_race_pair {
	uint32_t site[2];
	uint8_t seen; /**< orders that tries have shown: bit 0, the first access came first; bit 1, the second one did
	               */
};

#define SEARCH_ORDERS 3U /* both */

/** Most orders of other races behind which the accesses of a race are. */
#define SEARCH_BEHIND_MAX 3U

/** Races between the same lines, on the same variable, count as one. */
struct search_race {
	struct search_access at[2];
	struct search_race_pair pairs[SEARCH_RACE_PAIRS]; /**< the first ones */
	unsigned pair_count;
	/** Orders, as constraints of pos (abi/sched_reads.h), that must come about first: the race was seen behind them
	 * alone (search_reach.h). */
	uint64_t behind[SEARCH_BEHIND_MAX];
	unsigned behind_count;
	uint64_t address; /**< of the object in the first try */
	char *object;     /**< symbol of the variable, or its address in the first try */
	bool is_certain;
	uint64_t first_try, last_try, tries, count; /**< first_try 0: only runs that are no tries have seen it */
};

/** What an access does: "reads", "writes", "frees". */
const char *search_access_verb(const struct search_access *access);

/** Zero-initialised, except for what the program is: no try yet. */
struct search_races {
	bool is_go; /**< the program is one of Go: races of its runtime are left out, and none is certain */
	struct search_race *all;
	size_t count, room;
	size_t certain;    /**< number of those */
	uint64_t left_out; /**< accesses that the tries left out of the list of shared instructions, for lack of room */
	uint64_t unjudged; /**< accesses that they did not look at for races */
	uint64_t unshown;  /**< races that were too many for one try */
	uint64_t cut;      /**< tries that ended before the program did, because they had seen enough accesses */
};

/** The source in a frame, "function+0x12 (module, /path/file.c:3)": the path with its line; NULL: it has none. */
const char *search_frame_source(const char *frame, size_t *bytes);

/** Adds the frames of callers to a stack, each behind a newline. The place is then the first line of the user's. */
void search_access_add_callers(struct search_access *access, const char *callers);

/** Adds what a try, or with number 0 another run, has left (report_races.h), which is untrusted text that ends with a
 * NUL, and which this changes. */
void search_races_add(struct search_races *races, uint64_t number, char *text);

/** Lines that the caller adds to a race, by its index. */
struct search_races_more {
	void (*put)(FILE *to, const void *context, size_t race);
	const void *context;
};

/** Writes them as text, with the lines that `more` adds to each; NULL: none. `failures` is the number of tries that
 * failed. */
void search_races_put(FILE *to, const struct search_races *races, const struct search_races_more *more,
                      uint64_t failures);

/** Adds the races that an object of JSON has, as search_races_json writes them. */
void search_races_read(struct search_races *races, const struct json_in *in, const cJSON *json);

/** Adds them to an object of JSON. */
void search_races_json(cJSON *json, const struct search_races *races);

#endif
