/* SPDX-License-Identifier: MIT */
#include "search/search_shard.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmdline/option_words.h"
#include "sealed/image_text.h"
#include "search/search_try.h"

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

uint64_t search_shard_runs(const struct search_option *option, uint64_t runs)
{
	const uint64_t common = search_shard_common(option);
	if (!option->shard.shard || runs <= common)
		return runs;
	/* of the tries behind the common ones, those up to `runs` whose turn is this shard's */
	return common + (runs - common + option->shard.shards - option->shard.shard) / option->shard.shards;
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
	char *text = image_text_words_utf8(words, (unsigned)count);
	for (int i = 0; i < count; i++)
		free(words[i]);
	free(words);
	return text;
}
