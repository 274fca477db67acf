/* SPDX-License-Identifier: MIT */
/* A file of a shard says of which verification it is: its command, and the hash of the names of all images. The result
 * of an image has the same members as with --results=json alone, and from them each format is made again. */
#include "verify/verify_shard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clean_text.h"
#include "base/die.h"
#include "base/exit_status.h"
#include "base/memory.h"
#include "base/output_failed.h"
#include "base/save.h"
#include "base/text.h"
#include "base/version.h"
#include "library/json_in.h"
#include "sealed/image_text.h"

#define SHARD_SCHEMA 1
#define SHARD_IMAGES_MAX 10000000U
#define SHARDS_NAMED_MAX 8U /* missing ones, with the command that makes them */

/* --- a shard --- */

/* The command that makes this shard and the others, without the number, the file and the images. The caller frees it.
 */
static char *shard_command(const struct verify_option *option)
{
	const char *const words[] = {"eremite", "verify"};
	char *all[12];
	unsigned count = 0;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		all[count++] = text_of("%s", words[i]);
	if (option->runs != 1)
		all[count++] = text_of("--runs=%u", option->runs);
	if (option->engine)
		all[count++] = text_of("--engine=%s", option->engine);
	if (option->data)
		all[count++] = text_of("--data=%s", option->data);
	if (option->timeout || !option->has_timeout)
		all[count++] = text_of("--timeout=%s", option->has_timeout ? option->timeout : "0");
	if (option->keys)
		all[count++] = text_of("--signed-by=%s", option->keys);
	all[count++] = text_of("--shards=%u", option->shard.shards);
	char *text = image_text_words(all, count);
	for (unsigned i = 0; i < count; i++)
		free(all[i]);
	return text;
}

/* Writes words of a command as JSON has a text, and frees them. */
static void put_words(FILE *to, char *words)
{
	char *shown = image_text_shown(words); /* names of files need not be UTF-8 */
	cJSON *json = memory_or_die(cjson.CreateString(shown));
	char *quoted = memory_or_die(cjson.Print(json));
	fputs(quoted, to);
	cjson.free(quoted);
	cjson.Delete(json);
	free(shown);
	free(words);
}

void verify_shard_put(FILE *to, const struct verify_option *option, const struct results_total *total,
                      const char *results)
{
	fprintf(to, "{\"schema\": %d, \"kind\": \"verify shard\", \"version\": \"%s\",\n\"command\": ", SHARD_SCHEMA,
	        EREMITE_VERSION);
	put_words(to, shard_command(option));
	fputs(", \"arguments\": ", to);
	put_words(to, image_text_words(option->given, option->given_count));
	fprintf(to,
	        ",\n\"shards\": %u, \"shard\": %u, \"images\": %u, \"names\": \"%s\", \"seconds\": %.3f,\n"
	        "\"results\": [%s]}\n",
	        option->shard.shards, option->shard.shard, option->all_count, option->all_hash, total->seconds,
	        results);
}

/* --- merging --- */

/* Of what all shards have in common. */
struct shard_work {
	const char *path; /* of the first file, for messages */
	const char *version, *command, *arguments, *names;
	unsigned shards, images;
};

/* The result of an image, as the best file has it. */
struct shard_result {
	const cJSON *json; /* NULL: its shard is missing */
	const char *path;
	enum verdict verdict;
	bool is_disputed; /* another file passes the image */
};

static struct {
	struct shard_work work;
	struct shard_result *results; /* by the image's place in the list of all */
	double seconds;
	bool *has_shard;  /* by the shard's number less one */
	unsigned lacking; /* images that lack a feature of their host */
} merge;

static enum verdict verdict_of(const struct json_in *in, const cJSON *json)
{
	static const char *const names[] = {"pass", "fail", "error", "timeout"};
	const char *result = json_in_text(in, json, "result");
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], result))
			return (enum verdict)i;
	json_in_reject(in, "result");
}

/* How much a verdict says of the image: a difference more than a pass, and both more than what stopped a run on one
 * host. */
static unsigned verdict_weight(enum verdict verdict)
{
	static const unsigned weights[] = {2, 3, 0, 1};
	return weights[verdict];
}

static void take_shard_result(const struct json_in *in, const cJSON *json, unsigned place)
{
	struct shard_result *to = &merge.results[place];
	const enum verdict verdict = verdict_of(in, json);
	const struct shard_result was = *to;
	if (!was.json || verdict_weight(verdict) > verdict_weight(was.verdict))
		*to = (struct shard_result){.json = json, .path = in->path, .verdict = verdict};
	to->is_disputed = was.is_disputed || (was.json && verdict != was.verdict &&
	                                      (verdict == VERDICT_PASS || was.verdict == VERDICT_PASS));
}

/* Ends eremite if a file is of another verification than the first one. */
static void check_same_shards(const struct shard_work *work, const struct json_in *in)
{
	const char *other = strcmp(work->version, merge.work.version)       ? "version of eremite"
	                    : strcmp(work->command, merge.work.command)     ? "command"
	                    : strcmp(work->arguments, merge.work.arguments) ? "list of images"
	                    : work->shards != merge.work.shards             ? "number of shards"
	                    : work->images != merge.work.images             ? "number of images"
	                    : strcmp(work->names, merge.work.names)         ? "names of images"
	                                                                    : NULL;
	if (other)
		die("verify: --merge: %s and %s are of different verifications: they have another %s", merge.work.path,
		    in->path, other);
}

static void begin_verify_merge(const struct shard_work *work)
{
	merge.work = *work;
	merge.results = memory_or_die(calloc(work->images ? work->images : 1, sizeof(*merge.results)));
	merge.has_shard = memory_or_die(calloc(work->shards, sizeof(*merge.has_shard)));
}

static void read_shard(const char *path)
{
	const struct json_in in = {"verify", "--merge", path, "the results of a shard"};
	const cJSON *json = json_in_read(&in); /* which stays */
	json_in_number(&in, json, "schema", SHARD_SCHEMA, SHARD_SCHEMA);
	if (strcmp(json_in_text(&in, json, "kind"), "verify shard"))
		json_in_reject(&in, "kind");
	const struct shard_work work = {
		.path = path,
		.version = json_in_text(&in, json, "version"),
		.command = json_in_text(&in, json, "command"),
		.arguments = json_in_text(&in, json, "arguments"),
		.names = json_in_text(&in, json, "names"),
		.shards = (unsigned)json_in_number(&in, json, "shards", 1, SHARDS_MAX),
		.images = (unsigned)json_in_number(&in, json, "images", 0, SHARD_IMAGES_MAX),
	};
	const unsigned shard = (unsigned)json_in_number(&in, json, "shard", 1, work.shards);
	if (merge.work.path)
		check_same_shards(&work, &in);
	else
		begin_verify_merge(&work);
	unsigned place = shard - 1;
	for (const cJSON *at = json_in_array(&in, json, "results"); at; at = at->next, place += work.shards) {
		if (place >= work.images)
			json_in_reject(&in, "results");
		take_shard_result(&in, at, place);
	}
	if (place < work.images)
		json_in_reject(&in, "results");
	if (!merge.has_shard[shard - 1])
		merge.seconds += json_in_real(&in, json, "seconds");
	merge.has_shard[shard - 1] = true;
}

/* --- results --- */

static char *text_or_null(const struct json_in *in, const cJSON *json, const char *name)
{
	const char *text = json_in_text_or_null(in, json, name);
	return text ? text_of("%s", text) : NULL;
}

/* A text in the place of one that the results do not have. */
static const char *text_or_empty(const struct json_in *in, const cJSON *json, const char *name)
{
	const char *text = json_in_text_or_null(in, json, name);
	return text ? text : "";
}

static void read_difference(const struct json_in *in, const cJSON *json, struct comparison *comparison)
{
	static const char *const kinds[] = {
#define DIFFERENCE_KIND(name, text) text,
		DIFFERENCE_KINDS(DIFFERENCE_KIND)
#undef DIFFERENCE_KIND
	};
	const char *kind = json_in_text(in, json, "kind");
	unsigned found = 0;
	while (found < sizeof(kinds) / sizeof(kinds[0]) && strcmp(kinds[found], kind))
		found++;
	if (found == sizeof(kinds) / sizeof(kinds[0]))
		json_in_reject(in, "kind");
	memory_check(array_reserve(comparison->all, comparison->room, comparison->count + 1));
	struct difference *to = &comparison->all[comparison->count++];
	*to = (struct difference){.kind = (enum difference_kind)found,
	                          .name = text_of("%s", json_in_text(in, json, "what")),
	                          .expected = text_or_null(in, json, "expected"),
	                          .actual = text_or_null(in, json, "actual")};
	const bool has_values = to->kind != DIFFERENCE_MISSING && to->kind != DIFFERENCE_NEW;
	if (has_values && (!to->expected || !to->actual))
		json_in_reject(in, to->expected ? "actual" : "expected");
	if (to->kind != DIFFERENCE_CONTENTS)
		return;
	to->offset = json_in_number(in, json, "offset", 0, JSON_IN_COUNT_MAX);
	to->line = json_in_number(in, json, "line", 0, JSON_IN_COUNT_MAX);
}

static void read_shard_step(const struct json_in *in, const cJSON *json, struct verified_step *to)
{
	struct eri_step *step = memory_or_die(calloc(1, sizeof(*step)));
	step->name = json_in_text(in, json, "name");
	step->digest = json_in_text(in, json, "digest");
	step->events = json_in_number(in, json, "events", 0, JSON_IN_COUNT_MAX);
	*to = (struct verified_step){.step = step, .runs = (unsigned)json_in_number(in, json, "runs", 0, UINT32_MAX)};
	for (const cJSON *at = json_in_array(in, json, "digest_parts"); at; at = at->next) {
		char *parts = to->comparison.parts;
		const size_t length = strlen(parts);
		if (!cjson.IsString(at))
			json_in_reject(in, "digest_parts");
		clean_text(at->valuestring, strlen(at->valuestring));
		snprintf(parts + length, sizeof(to->comparison.parts) - length, "%s%s", length ? ", " : "",
		         at->valuestring);
	}
	for (const cJSON *at = json_in_array(in, json, "differences"); at; at = at->next)
		read_difference(in, at, &to->comparison);
	to->event = text_or_null(in, json, "first_event");
	to->stacks = json_in_block(in, json, "stacks");
}

/* Sets the result of an image from its JSON. */
static void read_result(const struct shard_result *from, struct verified *to)
{
	const struct json_in in = {"verify", "--merge", from->path, "the results of a shard"};
	const cJSON *json = from->json;
	const char *identity = text_or_empty(&in, json, "identity");
	*to = (struct verified){.name = text_of("%s", json_in_text(&in, json, "image")),
	                        .verdict = from->verdict,
	                        .error = text_or_null(&in, json, "error"),
	                        .kernel = text_or_null(&in, json, "kernel"),
	                        .signer = text_or_null(&in, json, "signed_by"),
	                        .seconds = json_in_real(&in, json, "seconds"),
	                        .lacks_feature = cjson.IsTrue(cjson.GetObjectItemCaseSensitive(json, "lacks_feature"))};
	to->is_suspect = to->kernel && !cjson.IsTrue(cjson.GetObjectItemCaseSensitive(json, "kernel_is_known"));
	snprintf(to->image.identity, sizeof(to->image.identity), "%s", identity);
	snprintf(to->engine, sizeof(to->engine), "%s", text_or_empty(&in, json, "engine"));
	to->image.manifest.version = text_or_null(&in, json, "sealed_by");
	to->image.manifest.engine = text_or_null(&in, json, "sealed_engine");
	for (const cJSON *at = json_in_array(&in, json, "steps"); at; at = at->next) {
		if (to->step_count == ERI_STEPS_MAX)
			json_in_reject(&in, "steps");
		read_shard_step(&in, at, &to->steps[to->step_count++]);
	}
	for (const cJSON *at = json_in_array(&in, json, "notes"); at && to->note_count < NOTES_MAX; at = at->next) {
		if (!cjson.IsString(at))
			json_in_reject(&in, "notes");
		clean_text(at->valuestring, strlen(at->valuestring));
		to->notes[to->note_count++] = text_of("%s", at->valuestring);
	}
	if (from->is_disputed && to->note_count < NOTES_MAX)
		to->notes[to->note_count++] = text_of("another file of its shard has another result");
	if (to->verdict == VERDICT_PASS && (!to->step_count || !to->kernel))
		json_in_reject(&in, "steps");
}

/* Names the shards that are missing. */
static unsigned name_missing(void)
{
	unsigned missing = 0;
	for (unsigned i = 0; i < merge.work.shards; i++) {
		if (merge.has_shard[i])
			continue;
		if (missing++ < SHARDS_NAMED_MAX)
			say("verify: shard %u of %u is missing; make it by: %s --shard=%u --results=json:FILE -- %s",
			    i + 1, merge.work.shards, merge.work.command, i + 1, merge.work.arguments);
	}
	if (missing > SHARDS_NAMED_MAX)
		say("verify: %u more shards are missing", missing - SHARDS_NAMED_MAX);
	return missing;
}

/* Writes all results in a format. */
static void put_merged_results(FILE *to, enum results_format format, const struct verify_option *option,
                               struct results_total *total)
{
	static struct verified verified; /* too large for a stack */
	const struct image_results_how how = {.is_quiet = option->is_quiet};
	struct text_made made;
	FILE *all = text_open(&made);
	*total = (struct results_total){.seconds = merge.seconds};
	merge.lacking = 0;
	for (unsigned i = 0; i < merge.work.images; i++) {
		if (!merge.results[i].json)
			continue;
		read_result(&merge.results[i], &verified);
		image_results_put(all, format, &verified, ++total->images, &how);
		total->failures += verified.verdict == VERDICT_DIFFERS;
		total->errors += verified.verdict > VERDICT_DIFFERS;
		merge.lacking += verified.lacks_feature;
	}
	char *text = text_close(&made);
	image_results_all(to, format, total, text);
	free(text);
}

/* One line for each kind of result. */
static void put_table(FILE *to, const struct results_total *total, unsigned timeouts)
{
	fprintf(to, "%u of %u images in %u shards: %u PASS, %u FAIL, %u ERROR, %u TIMEOUT\n", total->images,
	        merge.work.images, merge.work.shards, total->images - total->failures - total->errors, total->failures,
	        total->errors - timeouts, timeouts);
	if (merge.lacking)
		fprintf(to, "%u of the errors: the host lacks a feature that the image needs\n", merge.lacking);
}

static unsigned count_timeouts(void)
{
	unsigned count = 0;
	for (unsigned i = 0; i < merge.work.images; i++)
		count += merge.results[i].json && merge.results[i].verdict == VERDICT_TIMEOUT;
	return count;
}

/* Writes the file of the results, if there is one. Returns whether all of it could be written. */
static bool put_shard_file(const struct verify_option *option)
{
	struct save save = {0};
	struct results_total total;
	int result = option->results_file ? save_open(&save, option->results_file) : 0;
	if (!result && option->results_file) {
		put_merged_results(save.to, option->format, option, &total);
		result = save_commit_durably(&save);
	}
	if (result)
		say("verify: cannot write the results to %s: %s", option->results_file, strerror(-result));
	return !result;
}

int verify_shard_merge(const struct verify_option *option)
{
	struct results_total total;
	const bool prints_text = option->results_file || option->format == RESULTS_TEXT;
	memset(&merge, 0, sizeof(merge));
	for (unsigned i = 0; i < option->given_count; i++)
		read_shard(option->given[i]);
	const unsigned missing = name_missing(), timeouts = count_timeouts();
	const bool fits =
		put_shard_file(option); /* first: the reader of standard output may have gone, which ends eremite */
	put_merged_results(stdout, prints_text ? RESULTS_TEXT : option->format, option, &total);
	if (prints_text)
		put_table(stdout, &total, timeouts);
	if (!say_if_output_failed("verify") || !fits || missing || total.errors > timeouts)
		return EXIT_EREMITE;
	return total.failures ? EXIT_DIFFER : timeouts ? EXIT_TIMEOUT : 0;
}
