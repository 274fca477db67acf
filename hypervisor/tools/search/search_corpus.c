/* SPDX-License-Identifier: MIT */
/* After Wolff, Shi, Duck, Mathur and Roychoudhury, "Greybox Fuzzing for Concurrency Testing", ASPLOS 2024: a schedule
 * is a set of constraints on which read gets its value from which write. One that shows a new pair becomes a parent. A
 * parent is preferred if few tries had the set of pairs to which it led, and is changed at random.
 *
 * Not in the paper: a parent has not the constraints of its try, but wants the rarest pairs that the try had before the
 * new one, because these have led there, by constraints or by chance. How many tries had the new pair counts as well. A
 * constraint may be a pair that no try had, of a write and a read in other pairs of the same object. Two sites access
 * one object if a chain of pairs connects them. */
#include "search/search_corpus.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi/sched_reads.h"
#include "base/array.h"
#include "base/memory.h"

#define PAIRS_MAX 65536U      /* a megabyte; further ones are left out */
#define SIGNATURES_MAX 65536U /* further ones count as seen once */
#define PARENTS_MAX 4096U     /* the oldest is replaced */
#define WEIGHT (1UL << 48)
#define MAP_MIN 64U
#define CHANGES_MAX 4U
#define CHOSEN_MIN 16U /* how often a parent may be chosen before that counts much */
#define LOOKS 64U      /* pairs that are looked at for one of the same object */

/* Pairs that a parent wants: some room is left for what it avoids, and for changes. */
#define RAREST (SEARCH_CONSTRAINTS_MAX - 2)

/* --- maps --- */

static struct search_map_entry *entry_of(const struct search_map *map, uint64_t key)
{
	size_t at = (key * 0x9e3779b97f4a7c15UL >> 32) & (map->size - 1); /* Fibonacci hashing */
	while (map->entries[at].value && map->entries[at].key != key)
		at = (at + 1) & (map->size - 1);
	return &map->entries[at];
}

static uint32_t map_get(const struct search_map *map, uint64_t key)
{
	return map->size ? entry_of(map, key)->value : 0;
}

static void map_grow(struct search_map *map)
{
	struct search_map grown = {.size = map->size ? 2 * map->size : MAP_MIN, .count = map->count};
	grown.entries = memory_or_die(calloc(grown.size, sizeof(*grown.entries)));
	for (size_t i = 0; i < map->size; i++)
		if (map->entries[i].value)
			*entry_of(&grown, map->entries[i].key) = map->entries[i];
	free(map->entries);
	*map = grown;
}

static void map_set(struct search_map *map, uint64_t key, uint32_t value)
{
	if (map->count >= map->size / 2)
		map_grow(map);
	struct search_map_entry *entry = entry_of(map, key);
	map->count += !entry->value;
	*entry = (struct search_map_entry){key, value};
}

/* --- pairs --- */

static uint32_t group_of(const struct search_corpus *corpus, uint32_t pair)
{
	while (corpus->pairs[pair].group != pair)
		pair = corpus->pairs[pair].group;
	return pair;
}

/* The sites of a pair access one object with all that access it with one of them. */
static void join(struct search_corpus *corpus, uint32_t site, uint32_t pair)
{
	const uint32_t other = map_get(&corpus->sites, site);
	if (!other) {
		map_set(&corpus->sites, site, pair + 1);
		return;
	}
	const uint32_t one = group_of(corpus, pair), two = group_of(corpus, other - 1), first = one < two ? one : two;
	corpus->pairs[one].group = corpus->pairs[two].group = first;
	corpus->pairs[pair].group = corpus->pairs[other - 1].group = first; /* keeps the ways to the first one short */
}

static bool is_pair(uint64_t pair)
{
	const uint64_t from = pair >> 32, to = (uint32_t)pair;
	return from && to && from <= SCHED_SITE_MASK && to <= SCHED_SITE_MASK;
}

/* Counts a pair, or adds it. Returns its index, and whether it is new; or PAIRS_MAX if it cannot be one. */
static uint32_t add_pair(struct search_corpus *corpus, uint64_t pair, uint32_t seen, bool *is_new)
{
	const uint32_t known = map_get(&corpus->index, pair), at = (uint32_t)corpus->pair_count;
	*is_new = false;
	if (known) {
		uint32_t *count = &corpus->pairs[known - 1].seen;
		*count += *count < UINT32_MAX;
		return known - 1;
	}
	if (!is_pair(pair) || at == PAIRS_MAX)
		return PAIRS_MAX;
	memory_check(array_reserve(corpus->pairs, corpus->pair_room, at + 1UL));
	corpus->pairs[corpus->pair_count++] = (struct search_pair){pair, seen, at, 0};
	map_set(&corpus->index, pair, at + 1);
	join(corpus, (uint32_t)(pair >> 32), at);
	join(corpus, (uint32_t)pair, at);
	*is_new = true;
	return at;
}

/* --- parents --- */

static void add_parent(struct search_corpus *corpus, const struct search_parent *parent)
{
	if (corpus->parent_count == PARENTS_MAX) {
		memmove(corpus->parents, corpus->parents + 1, (PARENTS_MAX - 1) * sizeof(*parent));
		corpus->parent_count--;
	}
	memory_check(array_reserve(corpus->parents, corpus->parent_room, corpus->parent_count + 1));
	corpus->parents[corpus->parent_count++] = *parent;
}

/* Counts how often the signature of a parent was seen. Those of other tries serve nothing, and may be as many as tries:
 * results, which each shard writes and a merge reads, would be large. */
static void add_signature(struct search_corpus *corpus, uint64_t signature, bool is_of_parent)
{
	const uint32_t before = map_get(&corpus->signatures, signature);
	if (!before && !is_of_parent)
		return;
	if (before ? before < UINT32_MAX : corpus->signatures.count < SIGNATURES_MAX)
		map_set(&corpus->signatures, signature, before + 1);
}

/* Puts a pair among the rarest ones, of which there are at most RAREST. */
static void keep_rarest(const struct search_corpus *corpus, uint32_t *rarest, unsigned *count, uint32_t pair)
{
	unsigned at = *count;
	while (at && corpus->pairs[rarest[at - 1]].seen > corpus->pairs[pair].seen)
		at--;
	if (at == RAREST)
		return;
	*count += *count < RAREST;
	memmove(&rarest[at + 1], &rarest[at], (*count - at - 1) * sizeof(*rarest));
	rarest[at] = pair;
}

unsigned search_corpus_add(struct search_corpus *corpus, const struct search_reads *reads, uint64_t signature,
                           const uint64_t *pairs, size_t count)
{
	struct search_parent parent = {.signature = signature};
	uint32_t rarest[RAREST];
	unsigned found = 0, kept = 0;
	for (size_t i = 0; i < count; i++) {
		bool is_new;
		const uint32_t at = add_pair(corpus, pairs[i], 1, &is_new);
		if (at == PAIRS_MAX)
			continue;
		if (is_new) { /* what comes before the last new one has led to it */
			found++;
			parent.pair = pairs[i];
			parent.reads.count = kept;
			for (unsigned j = 0; j < kept; j++)
				parent.reads.constraint[j] = corpus->pairs[rarest[j]].pair;
		}
		keep_rarest(corpus, rarest, &kept, at);
	}
	add_signature(corpus, signature, found);
	if (!found)
		return 0;
	for (unsigned i = 0; i < reads->count && parent.reads.count < SEARCH_CONSTRAINTS_MAX; i++)
		if (reads->constraint[i] & SCHED_PAIR_AVOIDED)
			parent.reads.constraint[parent.reads.count++] = reads->constraint[i];
	add_parent(corpus, &parent);
	return found;
}

/* --- drawing --- */

static uint64_t below(uint64_t *state, uint64_t limit)
{
	return (uint64_t)((unsigned __int128)search_corpus_bits(state) * limit >> 64);
}

/* How likely a parent is to be chosen. */
static uint64_t weight(const struct search_corpus *corpus, const struct search_parent *parent)
{
	const uint32_t pair = map_get(&corpus->index, parent->pair);
	const uint64_t seen =
		1UL + map_get(&corpus->signatures, parent->signature) + (pair ? corpus->pairs[pair - 1].seen : 0);
	return WEIGHT / seen / (CHOSEN_MIN + parent->chosen);
}

void search_corpus_weigh(struct search_corpus *corpus)
{
	uint64_t sum = 0;
	memory_check(array_reserve(corpus->sums, corpus->sum_room, corpus->parent_count));
	for (size_t i = 0; i < corpus->parent_count; i++)
		corpus->sums[i] = sum += weight(corpus, &corpus->parents[i]);
	corpus->weighed = corpus->parent_count;
}

/* Draws a parent. NULL: the schedule without constraints, which weighs a third of all. */
static struct search_parent *draw_parent(struct search_corpus *corpus, uint64_t *state)
{
	const uint64_t sum = corpus->weighed ? corpus->sums[corpus->weighed - 1] : 0;
	const uint64_t at = below(state, sum + sum / 2 + 1);
	size_t low = 0, high = corpus->weighed;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (at < corpus->sums[middle])
			high = middle;
		else
			low = middle + 1;
	}
	return low < corpus->weighed ? &corpus->parents[low] : NULL;
}

/* The pair of a read and of another write to the same object; the known pair itself if none was found. */
static uint64_t other_writer(const struct search_corpus *corpus, uint32_t pair, uint64_t *state)
{
	const uint64_t known = corpus->pairs[pair].pair, start = below(state, corpus->pair_count);
	for (uint64_t i = 0; i < LOOKS && i < corpus->pair_count; i++) {
		const uint32_t other = (uint32_t)((start + i) % corpus->pair_count);
		const uint64_t from = corpus->pairs[other].pair >> 32;
		if (from != known >> 32 && group_of(corpus, other) == group_of(corpus, pair))
			return from << 32 | (uint32_t)known;
	}
	return known;
}

/* Draws a pair: the rarer one of two. */
static uint32_t draw_pair(const struct search_corpus *corpus, uint64_t *state)
{
	const uint32_t one = (uint32_t)below(state, corpus->pair_count),
		       two = (uint32_t)below(state, corpus->pair_count);
	return corpus->pairs[one].seen < corpus->pairs[two].seen ? one : two;
}

/* Half of the constraints avoid a pair, a quarter want a known one, and a quarter one of another write. */
static uint64_t draw_constraint(const struct search_corpus *corpus, uint64_t *state)
{
	const uint32_t pair = draw_pair(corpus, state);
	const uint64_t kind = below(state, 4);
	if (kind == 0)
		return other_writer(corpus, pair, state);
	return corpus->pairs[pair].pair | (kind > 1 ? SCHED_PAIR_AVOIDED : 0);
}

/* Adds a constraint. One that wants the same read to have another value makes way for it, or the run could have only
 * one of them, unless the read is made in a loop. */
static void add_constraint(struct search_reads *reads, uint64_t constraint)
{
	for (unsigned i = 0; i < reads->count; i++) {
		const uint64_t other = reads->constraint[i];
		const bool is_same = !((other ^ constraint) & ~SCHED_PAIR_AVOIDED);
		if (!is_same && ((other | constraint) & SCHED_PAIR_AVOIDED || (uint32_t)other != (uint32_t)constraint))
			continue;
		reads->constraint[i] = constraint;
		return;
	}
	if (reads->count < SEARCH_CONSTRAINTS_MAX)
		reads->constraint[reads->count++] = constraint;
	else
		reads->constraint[(uint32_t)constraint % SEARCH_CONSTRAINTS_MAX] = constraint;
}

/* Makes one change: adds a constraint, or removes or reverses one. */
static void change(const struct search_corpus *corpus, uint64_t *state, struct search_reads *reads)
{
	const uint64_t kind = reads->count ? below(state, 8) : 0, at = reads->count ? below(state, reads->count) : 0;
	if (kind < 5)
		add_constraint(reads, draw_constraint(corpus, state));
	else if (kind < 7)
		reads->constraint[at] = reads->constraint[--reads->count];
	else
		reads->constraint[at] ^= SCHED_PAIR_AVOIDED;
}

/* The pair that a parent has found shows how far its constraints have led. Its read is to have this value, another one,
 * or any. */
static void add_found(const struct search_corpus *corpus, uint64_t *state, const struct search_parent *parent,
                      struct search_reads *reads)
{
	const uint32_t pair = map_get(&corpus->index, parent->pair);
	const uint64_t kind = below(state, 4);
	if (pair && kind < 3)
		add_constraint(reads, kind ? other_writer(corpus, pair - 1, state) : parent->pair);
}

void search_corpus_draw(struct search_corpus *corpus, uint64_t seed, struct search_reads *reads)
{
	*reads = (struct search_reads){.count = 0};
	if (!corpus->pair_count)
		return;
	struct search_parent *parent = draw_parent(corpus, &seed);
	if (parent) {
		*reads = parent->reads;
		parent->chosen += parent->chosen < UINT32_MAX;
		add_found(corpus, &seed, parent, reads);
	}
	for (unsigned changes = 0; changes < CHANGES_MAX && below(&seed, 2); changes++)
		change(corpus, &seed, reads);
}

/* --- rounds --- */

/* A parent, and how likely it is to be chosen. */
struct ranked {
	uint64_t weight;
	size_t at;
};

static int by_weight(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static int by_place(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Leaves the parents of all shards that are most likely to be chosen, in their order. */
static void keep_best_parents(struct search_corpus *corpus)
{
	const size_t count = corpus->parent_count;
	if (count <= PARENTS_MAX)
		return;
	struct ranked *ranked = memory_or_die(calloc(count, sizeof(*ranked)));
	for (size_t i = 0; i < count; i++)
		ranked[i] = (struct ranked){weight(corpus, &corpus->parents[i]), i};
	qsort(ranked, count, sizeof(*ranked), by_weight);
	qsort(ranked, PARENTS_MAX, sizeof(*ranked), by_place);
	for (size_t i = 0; i < PARENTS_MAX; i++)
		corpus->parents[i] = corpus->parents[ranked[i].at];
	corpus->parent_count = PARENTS_MAX;
	free(ranked);
}

void search_corpus_begin_round(struct search_corpus *corpus)
{
	keep_best_parents(corpus);
	for (size_t i = 0; i < corpus->pair_count; i++)
		corpus->pairs[i].before = corpus->pairs[i].seen;
	for (size_t i = 0; i < corpus->parent_count; i++)
		corpus->parents[i].before = corpus->parents[i].chosen;
	for (size_t i = 0; i < corpus->signatures.size; i++)
		if (corpus->signatures.entries[i].value)
			map_set(&corpus->before, corpus->signatures.entries[i].key,
			        corpus->signatures.entries[i].value);
}

static uint32_t sum_of(uint32_t count, uint32_t more)
{
	return count + (more < UINT32_MAX - count ? more : UINT32_MAX - count);
}

static void join_pairs(struct search_corpus *to, const struct search_corpus *from)
{
	for (size_t i = 0; i < from->pair_count; i++) {
		const struct search_pair *pair = &from->pairs[i];
		const uint32_t known = map_get(&to->index, pair->pair);
		bool is_new;
		if (known)
			to->pairs[known - 1].seen = sum_of(to->pairs[known - 1].seen, pair->seen - pair->before);
		else
			add_pair(to, pair->pair, pair->seen, &is_new);
	}
}

static void join_signatures(struct search_corpus *to, const struct search_corpus *from)
{
	for (size_t i = 0; i < from->signatures.size; i++) {
		const struct search_map_entry *entry = &from->signatures.entries[i];
		const uint32_t known = entry->value ? map_get(&to->signatures, entry->key) : 0;
		if (known)
			map_set(&to->signatures, entry->key,
			        sum_of(known, entry->value - map_get(&from->before, entry->key)));
		else if (entry->value && to->signatures.count < SIGNATURES_MAX)
			map_set(&to->signatures, entry->key, entry->value);
	}
}

/* A parent is known by the pair that it has found, which no other one of its shard has found. The first shard's counts.
 */
static void join_parents(struct search_corpus *to, const struct search_corpus *from)
{
	struct search_map known = {.count = 0};
	for (size_t i = 0; i < to->parent_count; i++)
		map_set(&known, to->parents[i].pair, (uint32_t)i + 1);
	for (size_t i = 0; i < from->parent_count; i++) {
		const struct search_parent *parent = &from->parents[i];
		const uint32_t at = map_get(&known, parent->pair);
		if (at) {
			uint32_t *chosen = &to->parents[at - 1].chosen;
			*chosen = sum_of(*chosen, parent->chosen - parent->before);
			continue;
		}
		memory_check(array_reserve(to->parents, to->parent_room, to->parent_count + 1));
		to->parents[to->parent_count++] = *parent;
		map_set(&known, parent->pair, (uint32_t)to->parent_count);
	}
	free(known.entries);
	if (to->parent_count > 2 * PARENTS_MAX)
		keep_best_parents(to);
}

void search_corpus_join(struct search_corpus *to, const struct search_corpus *from)
{
	join_pairs(to, from);
	join_signatures(to, from);
	join_parents(to, from);
}

/* --- text --- */

void search_corpus_print_reads(FILE *to, const struct search_reads *reads)
{
	for (unsigned i = 0; i < reads->count; i++) {
		const uint64_t constraint = reads->constraint[i];
		fprintf(to, "%s%s%" PRIx64 "-%" PRIx64, i ? "/" : "", constraint & SCHED_PAIR_AVOIDED ? "!" : "",
		        constraint >> 32 & SCHED_SITE_MASK, constraint & SCHED_SITE_MASK);
	}
}

bool search_corpus_parse_reads(const char *text, struct search_reads *reads)
{
	*reads = (struct search_reads){.count = 0};
	for (const char *at = text; at && *at;) {
		uint64_t from, to;
		int used = 0;
		const bool avoided = *at == '!';
		at += avoided;
		if (reads->count == SEARCH_CONSTRAINTS_MAX ||
		    sscanf(at, "%8" SCNx64 "-%8" SCNx64 "%n", &from, &to, &used) != 2 || !is_pair(from << 32 | to))
			return false;
		reads->constraint[reads->count++] = from << 32 | to | (avoided ? SCHED_PAIR_AVOIDED : 0);
		at += used;
		if (*at && (*at++ != '/' || !*at))
			return false;
	}
	return true;
}

static int compare_entries(const void *left, const void *right)
{
	const struct search_map_entry *a = left, *b = right;
	return a->key < b->key ? -1 : a->key > b->key;
}

/* A number, how often it was seen, and how often before the round. */
static void print_counts(FILE *to, const char *what, uint64_t number, uint32_t count, uint32_t before)
{
	fprintf(to, "%s %" PRIx64 " %" PRIu32, what, number, count);
	if (before)
		fprintf(to, " %" PRIu32, before);
	fputc('\n', to);
}

/* In the order of their values, which does not show in which order they came. */
static void print_signatures(FILE *to, const struct search_corpus *corpus)
{
	const struct search_map *map = &corpus->signatures;
	struct search_map_entry *entries = memory_or_die(calloc(map->count + 1, sizeof(*entries)));
	size_t count = 0;
	for (size_t i = 0; i < map->size; i++)
		if (map->entries[i].value)
			entries[count++] = map->entries[i];
	qsort(entries, count, sizeof(*entries), compare_entries);
	for (size_t i = 0; i < count; i++)
		print_counts(to, "signature", entries[i].key, entries[i].value,
		             map_get(&corpus->before, entries[i].key));
	free(entries);
}

void search_corpus_print(FILE *to, const struct search_corpus *corpus)
{
	for (size_t i = 0; i < corpus->pair_count; i++)
		print_counts(to, "pair", corpus->pairs[i].pair, corpus->pairs[i].seen, corpus->pairs[i].before);
	print_signatures(to, corpus);
	for (size_t i = 0; i < corpus->parent_count; i++) {
		const struct search_parent *parent = &corpus->parents[i];
		fprintf(to, "parent %" PRIx64 " %" PRIx64 " %" PRIu32, parent->signature, parent->pair, parent->chosen);
		if (parent->before)
			fprintf(to, "/%" PRIu32, parent->before);
		fputc(' ', to);
		search_corpus_print_reads(to, &parent->reads);
		fputc('\n', to);
	}
}

/* Reads how often something was before the round, behind a character; 0: nothing follows. Sets *used to its end. */
static bool parse_before(const char *text, char separator, uint64_t count, uint32_t *before, int *used)
{
	uint64_t number;
	int bytes = 0;
	*before = 0;
	*used = 0;
	if (*text != separator || text[1] < '0' || text[1] > '9')
		return true;
	if (sscanf(text + 1, "%10" SCNu64 "%n", &number, &bytes) != 1 || !number || number > count)
		return false;
	*before = (uint32_t)number;
	*used = bytes + 1;
	return true;
}

static bool parse_parent(struct search_corpus *corpus, const char *line)
{
	struct search_parent parent;
	uint64_t chosen;
	int used = 0, more;
	if (sscanf(line, "parent %16" SCNx64 " %16" SCNx64 " %10" SCNu64 "%n", &parent.signature, &parent.pair, &chosen,
	           &used) != 3 ||
	    chosen > UINT32_MAX || !parse_before(line + used, '/', chosen, &parent.before, &more) ||
	    line[used + more] != ' ' || !map_get(&corpus->index, parent.pair) || corpus->parent_count == PARENTS_MAX ||
	    !search_corpus_parse_reads(line + used + more + 1, &parent.reads))
		return false;
	parent.chosen = (uint32_t)chosen;
	add_parent(corpus, &parent);
	return true;
}

static bool parse_pair(struct search_corpus *corpus, uint64_t pair, uint64_t count, uint32_t before)
{
	bool is_new;
	add_pair(corpus, pair, (uint32_t)count, &is_new);
	if (is_new)
		corpus->pairs[corpus->pair_count - 1].before = before;
	return is_new;
}

static bool parse_signature(struct search_corpus *corpus, uint64_t signature, uint64_t count, uint32_t before)
{
	if (corpus->signatures.count == SIGNATURES_MAX || map_get(&corpus->signatures, signature))
		return false;
	map_set(&corpus->signatures, signature, (uint32_t)count);
	if (before)
		map_set(&corpus->before, signature, before);
	return true;
}

bool search_corpus_parse(struct search_corpus *corpus, const char *line)
{
	uint64_t number, count;
	int used = 0, more;
	uint32_t before;
	const bool is_pair = sscanf(line, "pair %16" SCNx64 " %10" SCNu64 "%n", &number, &count, &used) == 2;
	if (!is_pair && sscanf(line, "signature %16" SCNx64 " %10" SCNu64 "%n", &number, &count, &used) != 2)
		return parse_parent(corpus, line);
	if (!count || count > UINT32_MAX || !parse_before(line + used, ' ', count, &before, &more) || line[used + more])
		return false;
	return is_pair ? parse_pair(corpus, number, count, before) : parse_signature(corpus, number, count, before);
}

void search_corpus_fini(struct search_corpus *corpus)
{
	free(corpus->pairs);
	free(corpus->index.entries);
	free(corpus->sites.entries);
	free(corpus->signatures.entries);
	free(corpus->before.entries);
	free(corpus->parents);
	free(corpus->sums);
	*corpus = (struct search_corpus){.pair_count = 0};
}
