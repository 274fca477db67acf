/* SPDX-License-Identifier: MIT */
/* Races take turns, so that one with many pairs of instructions does not use up the tries of the others. */
#include "search/search_pairs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi/sched_reads.h"
#include "base/text.h"
#include "library/json_out.h"

struct search_pair_try search_pairs_try(const struct search_race *race, uint64_t order)
{
	struct search_pair_try made = {.constraint_count = race->behind_count};
	memcpy(made.constraints, race->behind, sizeof(race->behind));
	made.constraints[made.constraint_count++] = order;
	return made;
}

static void add_try(struct search_pairs *pairs, const struct search_race *race, uint32_t index, unsigned first,
                    uint64_t order)
{
	struct search_pair_try *added = &pairs->all[pairs->count++];
	*added = search_pairs_try(race, order | SCHED_PAIR_ORDER);
	added->race = index;
	added->first = (uint8_t)first;
}

/* Adds both orders of a pair of instructions. If these are one, its threads take turns. */
static void add_both(struct search_pairs *pairs, const struct search_race *race, uint32_t index,
                     const struct search_race_pair *pair)
{
	const bool is_one = pair->site[0] == pair->site[1];
	if (!pair->site[0] || !pair->site[1] || pairs->count + 2 > SEARCH_PAIRS_MAX)
		return;
	add_try(pairs, race, index, 0, (uint64_t)pair->site[0] << 32 | pair->site[1]);
	add_try(pairs, race, index, 1,
	        (uint64_t)pair->site[1] << 32 | pair->site[0] | (is_one ? SCHED_PAIR_AVOIDED : 0));
}

void search_pairs_settle(struct search_pairs *pairs, const struct search_races *races, uint64_t behind)
{
	if (pairs->is_settled)
		return;
	pairs->is_settled = true;
	pairs->behind = behind;
	for (unsigned turn = 0; turn < SEARCH_RACE_PAIRS; turn++)
		for (unsigned possible = 0; possible < 2; possible++)
			for (size_t i = 0; i < races->count; i++)
				if (races->all[i].is_certain == !possible && turn < races->all[i].pair_count)
					add_both(pairs, &races->all[i], (uint32_t)i, &races->all[i].pairs[turn]);
}

uint64_t search_pairs_local(const struct search_pairs *pairs, const struct shard_option *shard)
{
	return shard->shard ? (pairs->count + shard->shards - shard->shard) / shard->shards : pairs->count;
}

const struct search_pair_try *search_pairs_at(const struct search_pairs *pairs, uint64_t number)
{
	return number > pairs->behind && number - pairs->behind <= pairs->count
	               ? &pairs->all[number - pairs->behind - 1]
	               : NULL;
}

/* The constraints as --sched=pos:reads= takes them. */
static char *order_text(const struct search_pair_try *pair)
{
	char *text = text_of("%s", "");
	for (unsigned i = 0; i < pair->constraint_count; i++) {
		const uint64_t constraint = pair->constraints[i];
		char *longer = text_of("%s%s%s%" PRIx64 "+%" PRIx64, text, i ? "/" : "",
		                       constraint & SCHED_PAIR_AVOIDED ? "!" : "", constraint >> 32 & SCHED_SITE_MASK,
		                       constraint & SCHED_SITE_MASK);
		free(text);
		text = longer;
	}
	return text;
}

char *search_pairs_policy(const struct search_pair_try *pair)
{
	char *order = order_text(pair), *policy = text_of("pos:reads=%s", order);
	free(order);
	return policy;
}

void search_pairs_note(struct search_pairs *pairs, uint64_t number, bool failed)
{
	if (!search_pairs_at(pairs, number))
		return;
	struct search_pair_try *pair = &pairs->all[number - pairs->behind - 1];
	pair->is_made = true;
	pair->failed |= failed;
}

/* --- results --- */

void search_pairs_put(FILE *to, const void *pairs, size_t race)
{
	const struct search_pairs *tries = pairs;
	const char *before = "    tried in both orders: try ";
	for (unsigned i = 0; i < tries->count; i++) {
		if (tries->all[i].race != race || !tries->all[i].is_made)
			continue;
		fprintf(to, "%s%" PRIu64 "%s", before, tries->behind + i + 1, tries->all[i].failed ? " (failed)" : "");
		before = ", ";
	}
	if (*before == ',')
		fputc('\n', to);
}

void search_pairs_put_order(FILE *to, const struct search_pairs *pairs, const struct search_races *races,
                            uint64_t number)
{
	const struct search_pair_try *pair = search_pairs_at(pairs, number);
	if (!pair || pair->race >= races->count)
		return;
	const struct search_race *race = &races->all[pair->race];
	const struct search_access *first = &race->at[pair->first], *second = &race->at[!pair->first];
	fprintf(to, "  order: %s in one thread, then %s in another, on %s\n", first->place, second->place,
	        race->object);
}

void search_pairs_json(cJSON *json, const struct search_pairs *pairs)
{
	if (!pairs->is_settled)
		return;
	cJSON *array = cjson.AddArrayToObject(json, "orders");
	for (unsigned i = 0; i < pairs->count; i++) {
		cJSON *object = json_out_append(array);
		char *order = order_text(&pairs->all[i]);
		cjson.AddNumberToObject(object, "try", (double)(pairs->behind + i + 1));
		cjson.AddNumberToObject(object, "race", pairs->all[i].race);
		cjson.AddNumberToObject(object, "first", pairs->all[i].first);
		cjson.AddStringToObject(object, "sites", order);
		cjson.AddBoolToObject(object, "failed", pairs->all[i].failed);
		free(order);
	}
}

/* Reads the sites of an order, and of those behind which it is. */
static struct search_pair_try read_order(const struct json_in *in, const cJSON *json)
{
	const char *text = json_in_text(in, json, "sites");
	struct search_pair_try pair = {.constraint_count = 0};
	for (bool more = true; more; text++) {
		const bool is_turned = *text == '!';
		uint64_t from, to;
		int used = 0;
		text += is_turned;
		if (pair.constraint_count > SEARCH_BEHIND_MAX ||
		    sscanf(text, "%8" SCNx64 "+%8" SCNx64 "%n", &from, &to, &used) != 2 || !used || !from || !to ||
		    from > SCHED_SITE_MASK || to > SCHED_SITE_MASK || (text[used] && text[used] != '/'))
			json_in_reject(in, "sites");
		pair.constraints[pair.constraint_count++] =
			from << 32 | to | SCHED_PAIR_ORDER | (is_turned ? SCHED_PAIR_AVOIDED : 0);
		text += used;
		more = *text;
	}
	return pair;
}

void search_pairs_read(struct search_pairs *pairs, const struct json_in *in, const cJSON *json)
{
	struct search_pairs read = {.is_settled = true};
	if (!cjson.GetObjectItemCaseSensitive(json, "orders")) { /* an earlier version has made none */
		*pairs = read;
		return;
	}
	for (const cJSON *at = json_in_array(in, json, "orders"); at; at = at->next) {
		const uint64_t number = json_in_number(in, at, "try", 1, UINT32_MAX);
		if (read.count == SEARCH_PAIRS_MAX || (read.count && number != read.behind + read.count + 1))
			json_in_reject(in, "orders");
		read.behind = number - read.count - 1;
		struct search_pair_try *pair = &read.all[read.count++];
		*pair = read_order(in, at);
		pair->race = (uint32_t)json_in_number(in, at, "race", 0, UINT32_MAX);
		pair->first = (uint8_t)json_in_number(in, at, "first", 0, 1);
		pair->failed = cjson.IsTrue(cjson.GetObjectItemCaseSensitive(at, "failed"));
	}
	for (unsigned i = 0; i < read.count && i < pairs->count; i++)
		read.all[i].failed |= pairs->all[i].failed;
	*pairs = read;
}
