/* SPDX-License-Identifier: MIT */
/* The races that the first tries of a search see, whether a try fails or not. */
#ifndef HYPERVISOR_SEARCH_RACES_H
#define HYPERVISOR_SEARCH_RACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/json_in.h"

/** One access of a race. */
struct search_access {
	bool reads, writes;
	uint32_t thread; /**< of the first time */
	char *place;     /**< "a.c:14", or without a line "function+0x12 (file)" */
	char *frames;    /**< the function, and those inlined there, from the innermost on; separated by newlines */
};

/** Races between the same lines, on the same variable, count as one. */
struct search_race {
	struct search_access at[2];
	char *object; /**< symbol of the variable, or its address in the first try */
	bool is_certain;
	uint64_t first_try, last_try, tries, count;
};

/** Zero-initialised, except for what the program is: no try yet. */
struct search_races {
	bool is_go; /**< the program is one of Go: races of its runtime are left out, and none is certain */
	struct search_race *all;
	size_t count, room;
	size_t certain;    /**< number of those */
	uint64_t left_out; /**< accesses that the tries left out of the list of shared instructions, for lack of room */
	uint64_t unjudged; /**< accesses that they did not look at for races */
	uint64_t unshown;  /**< races that were too many for one try */
};

/** Adds what a try, or with number 0 a run, has left (report_races.h), which is untrusted text that ends with a NUL,
 * and which this changes. */
void search_races_add(struct search_races *races, uint64_t number, char *text);

/** Writes them as text: `failures` is the number of tries that failed. */
void search_races_put(FILE *to, const struct search_races *races, uint64_t failures);

/** Adds the races that an object of JSON has, as search_races_json writes them. */
void search_races_read(struct search_races *races, const struct json_in *in, const cJSON *json);

/** Adds them to an object of JSON. */
void search_races_json(cJSON *json, const struct search_races *races);

#endif
