/* SPDX-License-Identifier: MIT */
#include "search/results/search_results.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/commit.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmdline/option_words.h"
#include "library/cjson.h"
#include "library/json_out.h"
#include "sched/from_option.h"
#include "sealed/image_text.h"
#include "search/search_input.h"
#include "search/shards/search_shard.h"
#include "search/search_stop.h"

bool search_results_is_slow(const struct search_distinct *distinct, const struct search_option *option)
{
	return distinct->command_try && distinct->command_try <= option->points_tries &&
	       !(distinct->command_try == 1 && option->first_is_plain);
}

/* Takes the command of another try that has failed in the same way. */
static void take_command(struct search_distinct *distinct, const struct search_option *option, uint64_t number,
                         const struct try_outcome *outcome)
{
	free(distinct->command);
	distinct->command = search_try_command(option, number, option->vary, NULL);
	distinct->command_try = number;
	distinct->inputs = search_try_inputs(option, number);
	distinct->first = *outcome;
	distinct->repeats = REPEATS_UNKNOWN;
}

/* Adds a way to fail, or counts it. Returns whether it is a new one. *keeps: this try will be made again. */
static bool add_failure(struct search_results *results, const struct search_option *option, uint64_t number,
                        struct search_outcome *outcome, bool *keeps)
{
	*keeps = false;
	results->tries++;
	results->timeouts += outcome->outcome.end == RUN_TIMEOUT;
	results->failures += outcome->failed;
	const bool is_common = number <= search_shard_common(option);
	results->common_timeouts += is_common && outcome->outcome.end == RUN_TIMEOUT;
	results->common_failures += is_common && outcome->failed;
	for (size_t i = 0; i < results->distinct_count && outcome->failed; i++)
		if (!strcmp(results->distinct[i].identity, outcome->identity)) {
			results->distinct[i].count++;
			results->distinct[i].common_count += is_common;
			outcome->failed = false;
			*keeps = number > option->points_tries && search_results_is_slow(&results->distinct[i], option);
			if (*keeps)
				take_command(&results->distinct[i], option, number, &outcome->outcome);
		}
	if (!outcome->failed) {
		search_outcome_fini(outcome);
		return false;
	}
	memory_check(array_reserve(results->distinct, results->distinct_room, results->distinct_count + 1));
	results->distinct[results->distinct_count++] =
		(struct search_distinct){.identity = outcome->identity,
	                                 .end = outcome->end,
	                                 .stacks = outcome->stacks,
	                                 .said = outcome->said,
	                                 .differs = outcome->differs,
	                                 .command = search_try_command(option, number, option->vary, NULL),
	                                 .command_try = number,
	                                 .inputs = search_try_inputs(option, number),
	                                 .first_try = number,
	                                 .first = outcome->outcome,
	                                 .common_count = is_common,
	                                 .count = 1};
	*keeps = true;
	return true;
}

void search_results_add(struct search_results *results, const struct search_option *option, uint64_t number,
                        struct search_outcome *outcome)
{
	bool keeps;
	search_pairs_note(&results->pairs, search_shard_number(option, number), outcome->failed);
	const bool is_new = add_failure(results, option, number, outcome, &keeps);
	if (keeps && option->feedback)
		search_feedback_keep(option->feedback, number);
	if (option->feedback)
		search_feedback_take(option->feedback, number, is_new);
}

/* Tries below which the estimate says nothing: one way that was seen once would be a chance of more than a twentieth.
 */
#define ESTIMATE_TRIES 20U

static bool has_estimate(const struct search_results *results)
{
	return results->tries >= ESTIMATE_TRIES && results->tries > results->timeouts;
}

/* Estimates the chance that the next try fails in a new way: the ways that were seen once, divided by the tries (Good
 * 1953). */
static double unseen_chance(const struct search_results *results)
{
	uint64_t once = 0;
	for (size_t i = 0; i < results->distinct_count; i++)
		once += results->distinct[i].count == 1;
	return (double)once / (double)results->tries;
}

static double total_seconds(const struct search_results *results)
{
	return results->seconds + results->earlier_seconds;
}

static double rate(const struct search_results *results)
{
	const double seconds = total_seconds(results);
	return seconds > 0 ? (double)results->tries / seconds : 0;
}

char *search_results_line(const struct search_option *option)
{
	char **words = NULL, *text, seed[40], from[FROM_TEXT + 8];
	static char separator[] = "--", shared[] = "--preempt=shared", no_races[] = "--no-races";
	static char varied[SEARCH_INPUTS][24] = {
#define INPUT(name, text, option) "--vary=" text,
		SEARCH_INPUT_LIST(INPUT)
#undef INPUT
	};
	int count = 0;
	if (option->given) {
		text = text_copy(option->given);
		return text;
	}
	snprintf(seed, sizeof(seed), "--search-seed=%" PRIu64, option->seed);
	option_words_append(&words, &count, seed);
	for (unsigned input = 0; input < SEARCH_INPUTS; input++)
		if (option->vary != 1U << SEARCH_INPUT_sched && option->vary & 1U << input)
			option_words_append(&words, &count, varied[input]);
	if (strcmp(option->from, "start")) {
		snprintf(from, sizeof(from), "--from=%s", option->from);
		option_words_append(&words, &count, from);
	}
	for (unsigned i = 0; i < option->policy_count; i++)
		option_words_append(&words, &count, option->policies[i]);
	for (int i = 0; i < option->fail_on_count; i++)
		option_words_append(&words, &count, option->fail_on[i]);
	for (int i = 0; i < option->run_count; i++)
		option_words_append(&words, &count, option->run[i]);
	if (option->points_tries)
		option_words_append(&words, &count, shared);
	if (option->points_tries && !option->finds_races)
		option_words_append(&words, &count, no_races);
	option_words_append(&words, &count, separator);
	for (int i = 0; i < option->program_count; i++)
		option_words_append(&words, &count, option->program[i]);
	text = image_text_words_utf8(words, (unsigned)count);
	free(words);
	return text;
}

/* --- text --- */

/* The inputs on which a failure depends, if others vary as well. */
static void put_inputs(FILE *to, const struct search_distinct *distinct, const struct search_option *option)
{
	const char *separator = "";
	if (distinct->repeats != REPEATS || option->vary == 1U << SEARCH_INPUT_sched)
		return;
	fputs("  depends on: ", to);
	for (unsigned input = 0; input < SEARCH_INPUTS; input++)
		if (distinct->inputs & 1U << input) {
			fprintf(to, "%s%s", separator, search_input_name(input));
			separator = ", ";
		}
	if (!distinct->inputs)
		fputs("no input that varies", to);
	fputc('\n', to);
}

/* Whether a text has this line. */
static bool has_line(const char *lines, const char *line, size_t bytes)
{
	for (const char *end; (end = strchr(lines, '\n')); lines = end + 1)
		if ((size_t)(end - lines) == bytes && !memcmp(lines, line, bytes))
			return true;
	return false;
}

/* Lines that no passing try writes, but for those that were shown already. */
static void put_differs(FILE *to, const struct search_distinct *distinct)
{
	bool any = false;
	const char *line = distinct->differs ? distinct->differs : "";
	for (const char *end; (end = strchr(line, '\n')); line = end + 1) {
		if (distinct->said.lines && has_line(distinct->said.lines, line, (size_t)(end - line)))
			continue;
		fprintf(to, "%s    %.*s\n", any ? "" : "  a passing try does not write:\n", (int)(end - line), line);
		any = true;
	}
}

static void put_text(FILE *to, const struct search_results *results, const struct search_option *option)
{
	for (size_t i = 0; i < results->distinct_count; i++) {
		const struct search_distinct *distinct = &results->distinct[i];
		fprintf(to, "FAIL %s: first in try %" PRIu64 ", %" PRIu64 " %s\n", distinct->end,
		        search_shard_number(option, distinct->first_try), distinct->count,
		        distinct->count == 1 ? "try" : "tries");
		if (distinct->said.lines)
			results_format_lines(to, "    ", distinct->said.lines);
		results_format_lines(to, "    ", distinct->stacks);
		put_differs(to, distinct);
		fputs("  again: ", to);
		image_text_put_words(to, distinct->command);
		search_input_put(to);
		search_pairs_put_order(to, &results->pairs, &results->races,
		                       search_shard_number(option, distinct->command_try));
		put_inputs(to, distinct, option);
		if (distinct->repeats == REPEATS_NOT)
			fputs("  but this does something else each time: the program is not deterministic here; "
			      "eremite run "
			      "--verify finds the first event that differs\n",
			      to);
	}
	search_races_put(to, &results->races, &(struct search_races_more){search_pairs_put, &results->pairs},
	                 results->failures);
	fprintf(to, "%" PRIu64 " %s in %.1f s, %.0f a second: %" PRIu64 " failed, in %zu %s\n", results->tries,
	        results->tries == 1 ? "try" : "tries", total_seconds(results), rate(results), results->failures,
	        results->distinct_count, results->distinct_count == 1 ? "way" : "ways");
	if (results->timeouts)
		fprintf(to, "%" PRIu64 " %s stopped by --timeout\n", results->timeouts,
		        results->timeouts == 1 ? "try was" : "tries were");
	if (!results->failures && option->has_few_points && option->vary & 1U << SEARCH_INPUT_sched)
		fputs("threads were switched at kernel calls alone; --preempt atomics and others add points\n", to);
	if (has_estimate(results))
		fprintf(to, "the chance that one more try fails in a new way is about %.2g\n", unseen_chance(results));
	if (results->error) /* which standard error has */
		fprintf(to, "%s\n", results->is_partial ? results->error : "stopped by an error");
}

bool search_results_fail(const struct search_results *results, const struct search_option *option)
{
	return results->failures || (option->failures.race && results->races.certain);
}

/* --- TAP 14 and JUnit: one test for the program, with the failures as its details --- */

static char *details(const struct search_results *results, const struct search_option *option)
{
	struct text_made made;
	FILE *to = text_open(&made);
	put_text(to, results, option);
	return text_close(&made);
}

static void put_tap(FILE *to, const struct search_results *results, const struct search_option *option,
                    const char *name)
{
	fprintf(to, "TAP version 14\n1..1\n%sok 1 - ",
	        search_results_fail(results, option) || results->error ? "not " : "");
	results_format_escape(to, name, "#\\");
	char *text = details(results, option);
	fprintf(to, "\n  ---\n  message: |\n");
	results_format_lines(to, "    ", text);
	fputs("  ...\n", to);
	free(text);
}

/* The first line that the first failure has said. */
static void put_first_said(FILE *to, const struct search_results *results)
{
	const char *said = results->distinct_count ? results->distinct[0].said.lines : NULL;
	char *line = said ? strndup(said, strcspn(said, "\n")) : NULL;
	if (line && *line) {
		fputs(": ", to);
		results_format_xml(to, line);
	}
	free(line);
}

static void put_junit(FILE *to, const struct search_results *results, const struct search_option *option,
                      const char *name)
{
	const bool fails = search_results_fail(results, option), has_error = results->error && !fails;
	const double seconds = total_seconds(results);
	const char *kind = fails ? "failure" : has_error ? "error" : NULL;
	char *text = details(results, option);
	fprintf(to,
	        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	        "<testsuites tests=\"1\" failures=\"%u\" errors=\"%u\" time=\"%.3f\">\n"
	        "  <testsuite name=\"eremite search\" tests=\"1\" failures=\"%u\" errors=\"%u\" skipped=\"0\" "
	        "time=\"%.3f\">\n"
	        "    <testcase classname=\"eremite.search\" name=\"",
	        fails, has_error, seconds, fails, has_error, seconds);
	results_format_xml(to, name);
	fprintf(to, "\" time=\"%.3f\">\n      ", seconds);
	if (kind) {
		fprintf(to, "<%s message=\"%s", kind,
		        has_error           ? results->is_partial ? results->error : "an error has stopped the search"
		        : results->failures ? "some schedules fail"
		                            : "there is a certain data race");
		put_first_said(to, results);
		fprintf(to, "\" type=\"%s\">", has_error ? "error" : "fail");
	} else
		fputs("<system-out>", to);
	results_format_xml(to, text);
	fprintf(to, "</%s>\n    </testcase>\n  </testsuite>\n</testsuites>\n", kind ? kind : "system-out");
	free(text);
}

/* --- JSON --- */

/* Adds what a search that goes on needs of feedback, a line for each thing. */
static void add_feedback(cJSON *json, const struct search_feedback *feedback)
{
	struct text_made made;
	FILE *to = text_open(&made);
	search_feedback_print(to, feedback);
	char *lines = text_close(&made);
	json_out_lines(json, "feedback", lines);
	free(lines);
}

/* What is needed to merge the results of a shard with those of others. */
static void add_shard(cJSON *json, const struct search_results *results, const struct search_option *option)
{
	cJSON *shard = cjson.AddObjectToObject(json, "shard");
	cjson.AddNumberToObject(shard, "number", option->shard.shard);
	cjson.AddNumberToObject(shard, "of", option->shard.shards);
	cjson.AddNumberToObject(shard, "runs", (double)option->all_runs);
	if (option->rounds) {
		cjson.AddNumberToObject(shard, "rounds", option->rounds);
		cjson.AddNumberToObject(shard, "round", option->round);
	}
	cjson.AddNumberToObject(shard, "common", (double)search_shard_common(option));
	cjson.AddNumberToObject(shard, "failures", (double)results->common_failures);
	cjson.AddNumberToObject(shard, "timeouts", (double)results->common_timeouts);
	cjson.AddBoolToObject(shard, "stopped", search_stop_by_file());
	cjson.AddStringToObject(shard, "eremite", commit_version);
	char *options = search_shard_options(option),
	     *program = image_text_words_utf8(option->program, (unsigned)option->program_count);
	cjson.AddStringToObject(shard, "options", options);
	cjson.AddStringToObject(shard, "arguments", program);
	free(program);
	free(options);
	cJSON *vary = cjson.AddArrayToObject(json, "vary");
	for (unsigned input = 0; input < SEARCH_INPUTS; input++)
		if (option->vary & 1U << input)
			cjson.AddItemToArray(vary, cjson.CreateString(search_input_name(input)));
	cjson.AddBoolToObject(json, "few_points", option->has_few_points);
	cjson.AddBoolToObject(shard, "fails_on_race", option->failures.race);
}

static void put_json(FILE *to, const struct search_results *results, const struct search_option *option,
                     const char *name)
{
	cJSON *json = memory_or_die(cjson.CreateObject());
	char *line = search_results_line(option);
	cjson.AddNumberToObject(json, "schema", 1);
	cjson.AddStringToObject(json, "program", name);
	if (*option->program_sha256)
		cjson.AddStringToObject(json, "program_sha256", option->program_sha256);
	cjson.AddStringToObject(json, "search", line);
	free(line);
	cjson.AddNumberToObject(json, "search_seed", (double)option->seed);
	cjson.AddNumberToObject(json, "tries", (double)results->tries);
	cjson.AddNumberToObject(json, "failures", (double)results->failures);
	cjson.AddNumberToObject(json, "timeouts", (double)results->timeouts);
	cjson.AddNumberToObject(json, "seconds", total_seconds(results));
	cjson.AddNumberToObject(json, "rate", rate(results));
	if (has_estimate(results))
		cjson.AddNumberToObject(json, "unseen", unseen_chance(results));
	else
		cjson.AddNullToObject(json, "unseen");
	cjson.AddBoolToObject(json, "interrupted", results->interrupted);
	if (results->error)
		cjson.AddStringToObject(json, "error", results->error);
	if (search_input_bytes()) {
		cJSON *input = cjson.AddObjectToObject(json, "input");
		cjson.AddNumberToObject(input, "bytes", (double)search_input_bytes());
		if (search_input_file())
			cjson.AddStringToObject(input, "file", search_input_file());
	}
	if (option->shard.shard)
		add_shard(json, results, option);
	cJSON *array = cjson.AddArrayToObject(json, "distinct");
	for (size_t i = 0; i < results->distinct_count; i++) {
		const struct search_distinct *distinct = &results->distinct[i];
		cJSON *object = json_out_append(array);
		cjson.AddStringToObject(object, "end", distinct->end);
		cjson.AddNumberToObject(object, "first_try", (double)search_shard_number(option, distinct->first_try));
		cjson.AddNumberToObject(object, "count", (double)distinct->count);
		if (option->shard.shard)
			cjson.AddNumberToObject(object, "common", (double)distinct->common_count);
		json_out_lines(object, "stacks", distinct->stacks);
		if (distinct->said.key && *distinct->said.key)
			cjson.AddStringToObject(object, "failure", distinct->said.key);
		if (distinct->said.lines)
			json_out_lines(object, "said", distinct->said.lines);
		if (distinct->differs)
			json_out_lines(object, "differs", distinct->differs);
		cjson.AddStringToObject(object, "command", distinct->command);
		if (distinct->command_try)
			cjson.AddNumberToObject(object, "command_try",
			                        (double)search_shard_number(option, distinct->command_try));
		cJSON *inputs = cjson.AddArrayToObject(object, "inputs");
		for (unsigned input = 0; input < SEARCH_INPUTS; input++)
			if (distinct->inputs & 1U << input)
				cjson.AddItemToArray(inputs, cjson.CreateString(search_input_name(input)));
		if (distinct->repeats == REPEATS_UNKNOWN)
			cjson.AddNullToObject(object, "repeats");
		else
			cjson.AddBoolToObject(object, "repeats", distinct->repeats == REPEATS);
	}
	if (option->finds_races)
		search_races_json(json, &results->races);
	search_pairs_json(json, &results->pairs);
	if (option->feedback)
		add_feedback(json, option->feedback);
	memory_check(!json_out_print(to, json));
	cjson.Delete(json);
}

void search_results_put(FILE *to, enum results_format format, const struct search_results *results,
                        const struct search_option *option)
{
	const char *name = option->program[0];
	switch (format) {
	case RESULTS_TEXT:
		put_text(to, results, option);
		break;
	case RESULTS_TAP:
		put_tap(to, results, option, name);
		break;
	case RESULTS_JUNIT:
		put_junit(to, results, option, name);
		break;
	case RESULTS_JSON:
		put_json(to, results, option, name);
		break;
	}
}
