/* SPDX-License-Identifier: MIT */
/* What feedback has learnt of a program: its reads-from pairs, how often each set of them was seen, and the schedules
 * that later ones are made from (docs/search.md). All that it does depends on the order of its calls alone. */
#ifndef HYPERVISOR_SEARCH_CORPUS_H
#define HYPERVISOR_SEARCH_CORPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Most constraints of a schedule: a bug that needs more of them at once is found by no other means either. */
#define SEARCH_CONSTRAINTS_MAX 8U

/** A schedule: what a run has to read from where. Constraints are pairs as in abi/sched_reads.h. */
struct search_reads {
	uint64_t constraint[SEARCH_CONSTRAINTS_MAX];
	unsigned count;
};

/** A schedule that showed something new. */
struct search_parent {
	struct search_reads reads;
	uint64_t signature; /**< of the pairs that it led to */
	uint64_t pair;      /**< the last pair of its run that no earlier run had */
	uint32_t chosen;    /**< how often another schedule was made from it */
	uint32_t before;    /**< of that: before the round */
};

/** A map from numbers to numbers other than 0, with linear probing. Zero-initialised: empty. */
struct search_map {
	struct search_map_entry {
		uint64_t key;
		uint32_t value; /**< 0: the entry is free */
	} * entries;
	size_t count, size; /**< used entries, and all: a power of two */
};

/** A known pair. */
struct search_pair {
	uint64_t pair;
	uint32_t seen;   /**< tries that had it */
	uint32_t group;  /**< index of a pair whose sites access the same object, or its own: a forest of unions */
	uint32_t before; /**< tries before the round that had it */
};

/** Zero-initialised: nothing is known. */
struct search_corpus {
	struct search_pair *pairs; /**< in the order in which they were found */
	size_t pair_count, pair_room;
	struct search_map index;      /**< of a pair: its index in pairs[] plus 1 */
	struct search_map sites;      /**< of a site: the index of a pair that has it, plus 1 */
	struct search_map signatures; /**< of a signature: how often it was seen */
	struct search_map before;     /**< of a signature: how often before the round */
	struct search_parent *parents;
	size_t parent_count, parent_room;
	uint64_t *sums; /**< of the parents' weights, as search_corpus_weigh found them */
	size_t weighed, sum_room;
};

/** Adds what a try has shown, which is unchecked, and the constraints that it ran with. If some pairs are new, it
 * becomes a parent: one that wants the rarest of its pairs, and avoids what it was to avoid. Returns how many are new.
 */
unsigned search_corpus_add(struct search_corpus *corpus, const struct search_reads *reads, uint64_t signature,
                           const uint64_t *pairs, size_t count);

/** Weighs the parents for the draws that follow: one is preferred if its signature and the pair that it has found are
 * rare, and if few schedules were made from it. */
void search_corpus_weigh(struct search_corpus *corpus);

/** Draws a schedule for a new try: that of a parent, with one to four changes. All draws follow from `seed`. Without
 * pairs, it has no constraints. */
void search_corpus_draw(struct search_corpus *corpus, uint64_t seed, struct search_reads *reads);

/** Begins a round: all that is known now was known before it, and is known to all shards. */
void search_corpus_begin_round(struct search_corpus *corpus);

/** Adds what a shard has learnt in a round to what others have. What was known before the round counts once, although
 * each shard has it. Behind the last shard comes search_corpus_begin_round. */
void search_corpus_join(struct search_corpus *to, const struct search_corpus *from);

/** Writes a schedule as the parameter `reads` of --sched pos takes it; nothing if it has no constraints. */
void search_corpus_print_reads(FILE *to, const struct search_reads *reads);

/** Reads it; "" and NULL: without constraints. Returns false if it is malformed. */
bool search_corpus_parse_reads(const char *text, struct search_reads *reads);

/** Writes the corpus as lines, each a word and its values. */
void search_corpus_print(FILE *to, const struct search_corpus *corpus);

/** Adds what a line of search_corpus_print says; a stranger may have written it. Returns false if it is no such line.
 */
bool search_corpus_parse(struct search_corpus *corpus, const char *line);

/** Frees it. */
void search_corpus_fini(struct search_corpus *corpus);

/** Draws a number of 64 bits from a state, which it moves on: SplitMix64 (Steele, Lea and Flood 2014). */
static inline uint64_t search_corpus_bits(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15UL;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9UL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebUL;
	return z ^ z >> 31;
}

#endif
