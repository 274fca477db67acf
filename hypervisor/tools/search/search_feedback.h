/* SPDX-License-Identifier: MIT */
/* Feedback between generations of tries: which policies a search uses how often, and the constraints of the policy
 * `feedback`, by what earlier tries have shown (docs/search.md).
 *
 * A generation is planned when the one before the last has ended: while one is made, the next can begin. So what a try
 * does depends on the results of the tries of its generation's plan, hence on its number and the search alone. */
#ifndef HYPERVISOR_SEARCH_FEEDBACK_H
#define HYPERVISOR_SEARCH_FEEDBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "search/search_corpus.h"

/** Tries of a generation: few, so that a search learns early, but enough to keep guests busy between two messages. */
#define SEARCH_GENERATION 64U

#define SEARCH_MEMBERS_MAX 64U

/** What a try is to do. */
struct search_plan {
	unsigned member;           /**< index of its policy */
	uint64_t turn;             /**< how many earlier tries had this member */
	struct search_reads reads; /**< member `feedback`: its constraints */
};

/** What a try has shown. */
struct search_shown {
	bool is_there; /**< it has told its pairs */
	uint64_t signature;
	uint64_t *pairs;
	size_t count;
};

struct search_member {
	bool has_feedback; /**< its tries get constraints */
	uint64_t turns;    /**< tries that were planned with it */
	uint64_t score;    /**< what its tries have found lately, each generation half as much as the next */
};

/** A generation that is planned and not yet complete, or the last complete one. */
struct search_generation {
	struct search_plan plan[SEARCH_GENERATION];
	struct search_shown shown[SEARCH_GENERATION];
	bool is_new[SEARCH_GENERATION]; /**< the try has failed in a new way */
};

#define SEARCH_GENERATIONS 3U

/** Zero-initialised, then search_feedback_init. */
struct search_feedback {
	uint64_t seed;     /**< --search-seed */
	uint64_t first;    /**< number of the first try of generation 0, in this round */
	uint64_t planned;  /**< number of the first try that is planned: `first` of the first round */
	uint64_t shows;    /**< tries up to this one, before it, show pairs */
	uint64_t complete; /**< generations whose tries are all there */
	uint64_t taken;    /**< tries of the next one that are */
	bool is_planned;   /**< the first two generations are: the tries before them are there */
	bool has_rounds;   /**< set by the caller: shards learn from each other between rounds */
	unsigned member_count;
	struct search_member member[SEARCH_MEMBERS_MAX];
	struct search_corpus corpus;
	struct search_generation generation[SEARCH_GENERATIONS]; /**< by number modulo SEARCH_GENERATIONS */
	struct search_kept {
		uint64_t number;
		struct search_plan plan;
	} * kept; /**< plans of tries that may be made again */
	size_t kept_count, kept_room;
};

/** Begins with `first`, the number of the first try that is planned; members are those of `has_feedback`. */
void search_feedback_init(struct search_feedback *feedback, uint64_t seed, uint64_t first, const bool *has_feedback,
                          unsigned members);

/** So many tries are made that are not planned and do not show anything, right before the first planned one. Called
 * before any try is planned. */
void search_feedback_delay(struct search_feedback *feedback, uint64_t tries);

/** The number up to which tries are planned and may begin. */
uint64_t search_feedback_limit(const struct search_feedback *feedback);

/** The plan of a try that is planned, or whose plan was kept. Generations that were completed before are forgotten. */
const struct search_plan *search_feedback_plan(const struct search_feedback *feedback, uint64_t number);

/** Whether search_feedback_plan has the plan of a try, which may be none that is planned. */
bool search_feedback_has_plan(const struct search_feedback *feedback, uint64_t number);

/** Keeps the plan of a try for as long as the search lasts. */
void search_feedback_keep(struct search_feedback *feedback, uint64_t number);

/** Notes the pairs that a try has shown, in any order of numbers, before the try is taken. They are copied, and are
 * unchecked. */
void search_feedback_show(struct search_feedback *feedback, uint64_t number, uint64_t signature, const uint64_t *pairs,
                          size_t count);

/** A try is there, in the order of their numbers; `is_new`: it has failed in a new way. After the last one of a
 * generation, another one is planned. */
void search_feedback_take(struct search_feedback *feedback, uint64_t number, bool is_new);

/** Writes as lines what a search that goes on needs; nothing while no try is planned. */
void search_feedback_print(FILE *to, const struct search_feedback *feedback);

/** Takes up these lines after search_feedback_init; they may be somebody else's. Returns whether they are valid and
 * fit a search that has made `tries`. The caller then makes the tries again that search_feedback_again gives. */
bool search_feedback_parse(struct search_feedback *feedback, char *lines, uint64_t tries);

/** Of a search that goes on: the first try that is to be made again, shown and taken, of those that it has made. */
uint64_t search_feedback_again(const struct search_feedback *feedback);

/** Ends a round: learns from the tries of a generation that is not complete. None follows in this round. */
void search_feedback_close(struct search_feedback *feedback);

/** Reads what a shard that has made `tries` has learnt in the round before; somebody else may have written it. Returns
 * whether it is valid. `from` is only for search_feedback_join. */
bool search_feedback_parse_learnt(struct search_feedback *from, char *lines, uint64_t tries);

/** Adds what a shard has learnt; of the same one (`is_own`) also what concerns its own tries. */
void search_feedback_join(struct search_feedback *to, const struct search_feedback *from, bool is_own);

/** Begins a round with what `shards` shards have learnt, behind the last of `tries` tries. */
void search_feedback_begin_round(struct search_feedback *feedback, uint64_t tries, unsigned shards);

/** Frees it. */
void search_feedback_fini(struct search_feedback *feedback);

#endif
