/* SPDX-License-Identifier: MIT */
#include "search/shards/search_shard.h"

#include <stdlib.h>
#include <string.h>

#include "base/commit.h"
#include "base/die.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "cmdline/option_words.h"
#include "library/cjson.h"
#include "sealed/image_text.h"
#include "search/results/search_results.h"
#include "search/search_try.h"

#define RESULTS_BYTES_MAX (1UL << 30)

uint64_t search_shard_common(const struct search_option *option)
{
	const uint64_t early = search_try_awaits(option, UINT64_MAX);
	return early ? early : 1;
}

uint64_t search_shard_number(const struct search_option *option, uint64_t local)
{
	const uint64_t common = search_shard_common(option);
	return !option->shard.shard || local <= common
	               ? local
	               : common + (local - common - 1) * option->shard.shards + option->shard.shard;
}

uint64_t search_shard_local(const struct search_option *option, uint64_t number)
{
	const uint64_t common = search_shard_common(option);
	if (!option->shard.shard || number <= common)
		return number;
	const uint64_t at = number - common - 1;
	return at % option->shard.shards + 1 == option->shard.shard ? common + 1 + at / option->shard.shards : 0;
}

uint64_t search_shard_share(const struct shard_option *shard, uint64_t common, uint64_t runs)
{
	if (!shard->shard || runs <= common)
		return runs;
	/* of the tries behind the common ones, those up to `runs` whose turn is this shard's */
	return common + (runs - common + shard->shards - shard->shard) / shard->shards;
}

uint64_t search_shard_runs(const struct search_option *option, uint64_t runs)
{
	return search_shard_share(&option->shard, search_shard_common(option), runs);
}

uint64_t search_shard_runs_of_round(const struct search_option *option)
{
	const uint64_t all = search_shard_runs(option, option->all_runs), common = search_shard_common(option);
	return all <= common ? all : common + (all - common) * option->round / option->rounds;
}

/* Returns the value of --policy, in which the parameters of a policy have colons between them. */
static char *policy_list(const struct search_option *option)
{
	char *list = text_of("--policy=");
	for (unsigned i = 0; i < option->policy_count; i++) {
		char *policy = text_of("%s", option->policies[i]);
		for (char *at = policy; (at = strchr(at, ','));)
			*at = ':';
		char *longer = text_of("%s%s%s", list, i ? "," : "", policy);
		free(policy);
		free(list);
		list = longer;
	}
	return list;
}

char *search_shard_options(const struct search_option *option)
{
	char **words = NULL;
	int count = 0;
	option_words_append(&words, &count, text_of("--runs=%lu", option->all_runs));
	if (option->shard.shards)
		option_words_append(&words, &count, text_of("--shards=%u", option->shard.shards));
	if (option->rounds)
		option_words_append(&words, &count, text_of("--rounds=%u", option->rounds));
	option_words_append(&words, &count, text_of("--search-seed=%lu", option->seed));
	for (unsigned input = 0; input < SEARCH_INPUTS; input++)
		if (option->vary & 1U << input)
			option_words_append(&words, &count, text_of("--vary=%s", search_input_name(input)));
	if (option->vary & 1U << SEARCH_INPUT_sched)
		option_words_append(&words, &count, policy_list(option));
	option_words_append(&words, &count, text_of("--from=%s", option->from));
	for (int i = 0; i < option->fail_on_count; i++)
		option_words_append(
			&words, &count,
			text_of("%s%s", strncmp(option->fail_on[i], "--", 2) ? "--fail-on=" : "", option->fail_on[i]));
	for (int i = 0; i < option->run_count; i++)
		option_words_append(&words, &count, text_of("%s", option->run[i]));
	if (option->points_tries || option->has_no_points)
		option_words_append(&words, &count, text_of("--preempt=%s", option->points_tries ? "shared" : "none"));
	if (option->points_tries && !option->finds_races)
		option_words_append(&words, &count, text_of("--no-races"));
	if (option->time_s > 0)
		option_words_append(&words, &count, text_of("--time=%g", option->time_s));
	if (option->max_failures)
		option_words_append(&words, &count, text_of("--max-failures=%lu", option->max_failures));
	if (option->stop_file)
		option_words_append(&words, &count, text_of("--stop-file=%s", option->stop_file));
	char *text = image_text_words_utf8(words, (unsigned)count);
	for (int i = 0; i < count; i++)
		free(words[i]);
	free(words);
	return text;
}

static bool has_text(const cJSON *json, const char *name, const char *wanted)
{
	const cJSON *text = cjson.GetObjectItemCaseSensitive(json, name);
	return cjson.IsString(text) && !strcmp(text->valuestring, wanted);
}

static bool has_number(const cJSON *json, const char *name, uint64_t wanted)
{
	const cJSON *number = cjson.GetObjectItemCaseSensitive(json, name);
	return cjson.IsNumber(number) && number->valuedouble == (double)wanted;
}

/* Whether results are those of this search, and of this shard if it has one. */
static bool is_this_search(const cJSON *json, const struct search_option *option)
{
	const cJSON *shard = cjson.GetObjectItemCaseSensitive(json, "shard");
	char *line = search_results_line(option);
	const bool is_same = has_text(json, "search", line) && has_text(json, "program_sha256", option->program_sha256);
	free(line);
	if (!option->shard.shard)
		return is_same && !shard;
	return is_same && has_text(shard, "eremite", commit_version) &&
	       has_number(shard, "number", option->shard.shard) && has_number(shard, "of", option->shard.shards) &&
	       has_number(shard, "runs", option->all_runs) &&
	       (!option->rounds || has_number(shard, "round", option->round));
}

static bool is_stopped(const cJSON *json)
{
	return cjson.IsTrue(cjson.GetObjectItemCaseSensitive(json, "interrupted")) ||
	       cjson.GetObjectItemCaseSensitive(json, "error");
}

bool search_shard_is_behind(const struct search_option *option, const struct search_results *results, const char *path)
{
	void *bytes;
	size_t size;
	if (whole_file_read(path, RESULTS_BYTES_MAX, &bytes, &size))
		return false;
	cJSON *json = cjson.ParseWithLength(bytes, size);
	const cJSON *there = cjson.GetObjectItemCaseSensitive(json, "tries");
	const bool is_whole = !results->interrupted && !results->error, is_whole_there = !is_stopped(json);
	bool is_behind = is_this_search(json, option) && cjson.IsNumber(there);
	is_behind = is_behind &&
	            (is_whole == is_whole_there ? there->valuedouble > (double)results->tries : is_whole_there);
	cjson.Delete(json);
	free(bytes);
	return is_behind;
}

void search_shard_settle(struct search_option *option)
{
	shard_option_settle(&option->shard, "search");
	if (option->shard.shards && option->failures.output)
		die("search: --fail-on=output compares with the first try, and is not for shards");
	if (option->shard.shard && !option->state && (option->format != RESULTS_JSON || !option->results_file))
		die("search: the results of a shard are a file for --merge; give --results=json:FILE or --state=FILE");
	if (option->shard.shards && !option->shard.shard && (option->resume || option->state))
		die("search: %s goes on with one shard; name it by --shard", option->state ? "--state" : "--resume");
	if (option->prepare && option->stop_file)
		die("search: --prepare makes the tries that all shards need, also after a failure; leave out "
		    "--stop-file");
	if (option->prepare && (option->shard.shards || option->resume || option->state || option->prepared))
		die("search: --prepare makes the tries that all shards need, before any; leave out --shards, --shard, "
		    "--resume, --state and --prepared");
	if (option->rounds && !option->shard.shards)
		die("search: --rounds=%u needs --shards, which learn from each other between rounds", option->rounds);
	if (option->learnt && !option->rounds)
		die("search: --learnt needs --rounds, the number of all rounds");
	if (option->learnt && !option->shard.shard)
		die("search: --learnt is for one shard; name it by --shard");
	option->all_runs = option->runs;
	option->runs = option->prepare ? search_shard_common(option) : search_shard_runs(option, option->runs);
}
