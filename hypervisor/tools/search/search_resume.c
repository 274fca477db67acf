/* SPDX-License-Identifier: MIT */
#include "search/search_resume.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/die.h"
#include "base/memory.h"
#include "base/text.h"
#include "library/json_in.h"
#include "sealed/image_text.h"
#include "search/shards/search_rounds.h"
#include "search/shards/search_shard.h"

#define FIRST_TRIES 1000U /* those of pairs are among them */

static char *joined_lines(const struct json_in *in, const cJSON *json, const char *name)
{
	return cjson.GetObjectItemCaseSensitive(json, name) ? json_in_lines(in, json, name) : NULL;
}

unsigned search_inputs_read(const struct json_in *in, const cJSON *json, const char *name)
{
	unsigned inputs = 0;
	for (const cJSON *at = json_in_array(in, json, name); at; at = at->next) {
		unsigned input = 0;
		while (input < SEARCH_INPUTS &&
		       (!cjson.IsString(at) || strcmp(at->valuestring, search_input_name(input))))
			input++;
		if (input == SEARCH_INPUTS)
			json_in_reject(in, name);
		inputs |= 1U << input;
	}
	return inputs;
}

struct search_distinct search_distinct_read(const struct json_in *in, const cJSON *json, uint64_t runs)
{
	struct search_distinct distinct = {.end = text_of("%s", json_in_text(in, json, "end")),
	                                   .stacks = json_in_lines(in, json, "stacks"),
	                                   .command = text_of("%s", json_in_bytes(in, json, "command")),
	                                   .first_try = json_in_number(in, json, "first_try", 1, runs),
	                                   .inputs = search_inputs_read(in, json, "inputs"),
	                                   .said.lines = joined_lines(in, json, "said"),
	                                   .differs = joined_lines(in, json, "differs")};
	const char *key = json_in_text_or_null(in, json, "failure");
	distinct.said.key = text_of("%s", key ? key : "");
	distinct.identity = search_outcome_identity(distinct.end, distinct.stacks, distinct.said.key);
	if (cjson.GetObjectItemCaseSensitive(json, "command_try"))
		distinct.command_try = json_in_number(in, json, "command_try", 1, runs);
	const cJSON *repeats = cjson.GetObjectItemCaseSensitive(json, "repeats");
	if (cjson.IsBool(repeats))
		distinct.repeats = cjson.IsTrue(repeats) ? REPEATS : REPEATS_NOT;
	return distinct;
}

/* Returns the number of a try as this search numbers it: a shard has its own numbers. */
static uint64_t own_number(const struct json_in *in, const char *name, const struct search_option *option,
                           uint64_t number, uint64_t tries)
{
	const uint64_t local = search_shard_local(option, number);
	if (!local || local > tries)
		json_in_reject(in, name);
	return local;
}

/* Adds a way to fail. If no try with the list of points has failed so, this search looks for one again. Returns in how
 * many tries it was seen. */
static uint64_t add_distinct(const struct json_in *in, const cJSON *json, const struct search_option *option,
                             struct search_results *results)
{
	memory_check(array_reserve(results->distinct, results->distinct_room, results->distinct_count + 1));
	struct search_distinct *to = &results->distinct[results->distinct_count++];
	*to = search_distinct_read(in, json, search_shard_number(option, results->tries));
	to->first_try = own_number(in, "first_try", option, to->first_try, results->tries);
	to->count = json_in_number(in, json, "count", 1, results->failures);
	if (option->shard.shard)
		to->common_count = json_in_number(in, json, "common", 0, to->count);
	if (to->command_try) {
		to->command_try = own_number(in, "command_try", option, to->command_try, results->tries);
		return to->count;
	}
	to->command_try = to->first_try;
	if (to->first_try <= option->points_tries) {
		free(to->command);
		to->command = search_try_command(option, to->first_try, to->inputs, NULL);
	}
	return to->count;
}

/* A round goes on with its own results, or begins with those of the one before. */
static void check_round(const struct json_in *in, const cJSON *shard, const struct search_option *option)
{
	const bool has_rounds = cjson.GetObjectItemCaseSensitive(shard, "rounds");
	if (!has_rounds && !option->rounds)
		return;
	if (!has_rounds || json_in_number(in, shard, "rounds", 1, SEARCH_ROUNDS_MAX) != option->rounds ||
	    json_in_number(in, shard, "runs", 1, UINT32_MAX) != option->all_runs)
		die("search: %s: %s is of a search with another number of rounds or tries", in->option, in->path);
	const unsigned round = (unsigned)json_in_number(in, shard, "round", 1, SEARCH_ROUNDS_MAX),
		       wanted = option->round - option->begins_round;
	if (round > wanted)
		die("search: %s: %s has the results of round %u; give --learnt with the files of round %u", in->option,
		    in->path, round, round - 1);
	if (round < wanted)
		die("search: %s: %s has the results of round %u, and this is round %u; give another file", in->option,
		    in->path, round, wanted);
}

/* Results of a shard are for the same shard only. */
static void check_shard(const struct json_in *in, const cJSON *json, const struct search_option *option,
                        struct search_results *results)
{
	const cJSON *shard = cjson.GetObjectItemCaseSensitive(json, "shard");
	if (!shard && !option->shard.shard)
		return;
	if (!shard || json_in_number(in, shard, "number", 1, SHARDS_MAX) != option->shard.shard ||
	    json_in_number(in, shard, "of", 1, SHARDS_MAX) != option->shard.shards)
		die("search: %s: %s has the results of another shard, or of none", in->option, in->path);
	check_round(in, shard, option);
	results->common_failures = json_in_number(in, shard, "failures", 0, UINT32_MAX);
	results->common_timeouts = json_in_number(in, shard, "timeouts", 0, UINT32_MAX);
}

/* Results without the hash are of an older eremite. */
static void check_program(const struct json_in *in, const cJSON *json, const struct search_option *option)
{
	const char *sha256 = json_in_text_or_null(in, json, "program_sha256");
	if (sha256 && strcmp(sha256, option->program_sha256))
		die("search: %s: %s has the results of another %s, or of other files that its arguments name; %s to "
		    "search again",
		    in->option, in->path, option->program[0],
		    option->state ? "give another file" : "leave out --resume");
}

void search_resume(const char *path, const struct search_option *option, struct search_results *results)
{
	struct json_in in = {"search", option->state ? "--state" : "--resume", path, "the results of a search"};
	char *line = search_results_line(option);
	cJSON *json = option->begins_round ? search_rounds_own(option, &in) : json_in_read(&in);
	json_in_number(&in, json, "schema", 1, 1);
	const char *search = json_in_bytes(&in, json, "search");
	if (strcmp(search, line))
		die("search: %s: %s has the results of another search, %s; give its options and its program", in.option,
		    path, image_text_shown(search));
	check_program(&in, json, option);
	check_shard(&in, json, option, results);
	results->tries = json_in_number(&in, json, "tries", 0, UINT32_MAX);
	if (results->tries > option->runs)
		die("search: %s: %s has %lu tries, more than the %lu of --runs; give a larger --runs", in.option, path,
		    results->tries, option->runs);
	results->failures = json_in_number(&in, json, "failures", 0, results->tries);
	results->timeouts = json_in_number(&in, json, "timeouts", 0, results->tries);
	results->earlier_seconds = json_in_real(&in, json, "seconds");
	if (option->tries_pairs && results->tries > option->points_tries) { /* else they are settled again */
		search_pairs_read(&results->pairs, &in, json);
		for (uint64_t made = 1; made <= results->tries && made <= FIRST_TRIES; made++)
			search_pairs_note(&results->pairs, search_shard_number(option, made), false);
		search_feedback_delay(option->feedback, search_pairs_local(&results->pairs, &option->shard));
	}
	if (option->feedback && option->begins_round) {
		search_rounds_learn(option, results->tries);
	} else if (option->feedback) {
		char *learnt = json_in_lines(&in, json, "feedback");
		if (!search_feedback_parse(option->feedback, learnt, results->tries))
			json_in_reject(&in, "feedback");
		free(learnt);
	}
	uint64_t counted = 0;
	for (const cJSON *at = json_in_array(&in, json, "distinct"); at; at = at->next)
		counted += add_distinct(&in, at, option, results);
	if (counted != results->failures)
		json_in_reject(&in, "failures");
	cjson.Delete(json);
	free(line);
}
