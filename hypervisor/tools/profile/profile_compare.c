/* SPDX-License-Identifier: MIT */
/* Virtual time is the same in each run of a program, so there is no margin: each difference is one of the programs. */
#include "profile/profile_compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/die.h"
#include "library/json_in.h"
#include "profile/profile_write.h"

/** A function in both profiles. */
struct pair {
	const char *name;
	uint64_t before, after;
};

struct pairs {
	struct pair *at;
	size_t count, room;
};

struct side {
	cJSON *json;
	const char *by;
	uint64_t every, total;
	bool has_times;
};

static void read_side(struct side *side, const char *path)
{
	const struct json_in in = {.verb = "profile", .option = "--compare", .path = path, .what = "a profile.json"};
	side->json = json_in_read(&in);
	json_in_number(&in, side->json, "schema", PROFILE_SCHEMA, PROFILE_SCHEMA);
	side->by = json_in_text(&in, side->json, "by");
	side->every = json_in_number(&in, side->json, "every", 1, JSON_IN_COUNT_MAX);
	side->has_times = strcmp(side->by, "faults") != 0;
	side->total = json_in_number(&in, side->json, side->has_times ? "virtual_ns" : "samples", 0, JSON_IN_COUNT_MAX);
}

static void add_pair(struct pairs *pairs, const char *name, uint64_t before, uint64_t after)
{
	if (!array_reserve(pairs->at, pairs->room, pairs->count + 1))
		die("out of memory");
	pairs->at[pairs->count++] = (struct pair){name, before, after};
}

static void add_side(struct pairs *pairs, const struct side *side, const char *path, bool is_after)
{
	const struct json_in in = {.verb = "profile", .option = "--compare", .path = path, .what = "a profile.json"};
	const cJSON *function, *list = cjson.GetObjectItemCaseSensitive(side->json, "functions");
	if (!list)
		json_in_reject(&in, "functions");
	for (function = list->child; function; function = function->next) {
		const uint64_t weight = json_in_number(&in, function, side->has_times ? "self_ns" : "self_samples", 0,
		                                       JSON_IN_COUNT_MAX);
		add_pair(pairs, json_in_text(&in, function, "name"), is_after ? 0 : weight, is_after ? weight : 0);
	}
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct pair *)a)->name, ((const struct pair *)b)->name);
}

/* Makes one pair of those with one name. */
static void join_pairs(struct pairs *pairs)
{
	size_t kept = 0;
	if (pairs->count)
		qsort(pairs->at, pairs->count, sizeof(*pairs->at), compare_names);
	for (size_t i = 0; i < pairs->count; i++) {
		if (kept && !strcmp(pairs->at[kept - 1].name, pairs->at[i].name)) {
			pairs->at[kept - 1].before += pairs->at[i].before;
			pairs->at[kept - 1].after += pairs->at[i].after;
		} else {
			pairs->at[kept++] = pairs->at[i];
		}
	}
	pairs->count = kept;
}

static uint64_t pair_change(const struct pair *pair)
{
	return pair->after > pair->before ? pair->after - pair->before : pair->before - pair->after;
}

static int compare_distances(const void *first, const void *second)
{
	const struct pair *a = first, *b = second;
	if (pair_change(a) != pair_change(b))
		return pair_change(a) > pair_change(b) ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void print_pair(const struct pair *pair, const char *unit)
{
	char percent[24] = "new";
	if (pair->before)
		snprintf(percent, sizeof(percent), "%+.2f %%",
		         100 * ((double)pair->after - (double)pair->before) / (double)pair->before);
	printf("%c%-14" PRIu64 " %10s  %14" PRIu64 " %14" PRIu64 " %s  %s\n", pair->after > pair->before ? '+' : '-',
	       pair_change(pair), percent, pair->before, pair->after, unit, pair->name);
}

int profile_compare(const char *a, const char *b)
{
	struct side before, after;
	struct pairs pairs = {0};
	read_side(&before, a);
	read_side(&after, b);
	if (strcmp(before.by, after.by) || before.every != after.every)
		die("profile: --compare: %s has samples by %s, every %" PRIu64 ", and %s by %s, every %" PRIu64
		    "; make both in one way",
		    a, before.by, before.every, b, after.by, after.every);
	add_side(&pairs, &before, a, false);
	add_side(&pairs, &after, b, true);
	join_pairs(&pairs);
	qsort(pairs.at, pairs.count, sizeof(*pairs.at), compare_distances);
	const char *unit = before.has_times ? "ns" : "samples";
	const struct pair all = {"in all", before.total, after.total};
	if (!pairs.count || !pair_change(&pairs.at[0]))
		printf("no function takes another virtual time: %" PRIu64 " %s in all\n", after.total, unit);
	else
		printf("%-15s %10s  %14s %14s\n", "change", "", "before", "after");
	for (size_t i = 0; i < pairs.count && pair_change(&pairs.at[i]); i++)
		print_pair(&pairs.at[i], unit);
	if (pairs.count && pair_change(&pairs.at[0]))
		print_pair(&all, unit);
	free(pairs.at);
	cjson.Delete(before.json);
	cjson.Delete(after.json);
	return after.total > before.total;
}
