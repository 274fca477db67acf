/* SPDX-License-Identifier: MIT */
/* Results of shards of a search, which strangers may have written: a file that is merged with itself counts once, and
 * what is written of it is JSON again. A zero byte is between two files. */
#include <stdio.h>

#include "library/json_in.h"
#include "search/shards/search_merge.h"
#include "tests/fuzz/dies.h"
#include "tests/fuzz/fuzz.h"

static void add_all(struct search_merge *merge, const uint8_t *data, size_t size)
{
	const struct json_in in = {"search", "--merge", "a file", "the results of a shard"};
	for (const uint8_t *end = data + size; data < end;) {
		const uint8_t *stop = memchr(data, 0, (size_t)(end - data));
		const size_t bytes = (size_t)((stop ? stop : end) - data);
		search_merge_add(merge, "a file", json_in_parse(&in, (const char *)data, bytes));
		data += bytes + 1;
	}
}

static void read_again(const char *text, size_t bytes)
{
	const struct json_in in = {"search", "--merge", "the merged file", "JSON"};
	cJSON *json = json_in_parse(&in, text, bytes);
	if (!json)
		abort();
}

static void merge_files(const uint8_t *data, size_t size)
{
	static struct search_merge merge;
	struct search_option option = {.format = RESULTS_TEXT};
	char *text;
	size_t bytes;
	memset(&merge, 0, sizeof(merge));
	add_all(&merge, data, size);
	if (!merge.line)
		return;
	const uint64_t tries = merge.results.tries, failures = merge.results.failures;
	add_all(&merge, data, size);
	if (merge.results.tries != tries || merge.results.failures != failures || failures > tries)
		abort();
	search_merge_put(&option, &merge);
	for (int format = RESULTS_TEXT; format <= RESULTS_JSON; format++) {
		FILE *to = open_memstream(&text, &bytes);
		search_results_put(to, format, &merge.results, &merge.option);
		fclose(to);
		if (format == RESULTS_JSON)
			read_again(text, bytes);
		free(text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	dies_run(merge_files, data, size);
	return 0;
}
