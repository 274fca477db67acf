/* SPDX-License-Identifier: MIT */
/* Reads the manifest by cJSON. Every member that the version of the schema requires must be there, with its type. */
#include "eri/eri_manifest.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/image.h"
#include "library/cjson.h"
#include "base/version.h"
#include "eri/eri_json.h"
#include "option/option_table.h"

#define IDENTITY "\"identity\":\t\""
#define DIGITS (2 * DIGEST_BYTES)
#define VALUES_MAX (1UL << 23) /* of all kinds; cJSON needs about 80 bytes of memory for each */
#define MODE_MAX 0177777U      /* a type and twelve bits */
#define KNOWN (1 << 20)        /* in cJSON's `type`, beyond its own bits: this member was read */

/* What was wrong first, and the path of members to it. */
struct reading {
	const char *wrong;
	const char *where;
};

static void fail_reading(struct reading *reading, const char *where, const char *wrong)
{
	if (reading->wrong)
		return;
	reading->where = where;
	reading->wrong = wrong;
}

static const cJSON *member(struct reading *reading, const cJSON *object, const char *name)
{
	cJSON *found = object ? cjson.GetObjectItemCaseSensitive(object, name) : NULL;
	if (!found)
		fail_reading(reading, name, "is missing");
	else
		found->type |= KNOWN;
	return found;
}

static const char *text(struct reading *reading, const cJSON *object, const char *name)
{
	const cJSON *found = member(reading, object, name);
	if (found && !cjson.IsString(found))
		fail_reading(reading, name, "is not a string");
	return found && cjson.IsString(found) ? found->valuestring : "";
}

/* A string that a manifest may leave out. */
static const char *text_or_none(struct reading *reading, const cJSON *object, const char *name)
{
	return object && cjson.GetObjectItemCaseSensitive(object, name) ? text(reading, object, name) : "";
}

/* One of a few words, as a list that NULL ends. */
static const char *word_member(struct reading *reading, const cJSON *object, const char *name, const char *const *words)
{
	const char *found = text(reading, object, name);
	while (*words && strcmp(*words, found))
		words++;
	if (!*words)
		fail_reading(reading, name, "has a value that no image has");
	return found;
}

/* The name of an engine, which may be one that this version does not have: it is information. */
static const char *engine_name(struct reading *reading, const char *found)
{
	if (!*found || found[strspn(found, "abcdefghijklmnopqrstuvwxyz0123456789-")])
		fail_reading(reading, "engine", "is no name of an engine");
	return found;
}

/* A whole number from 0 to 2^53. */
static uint64_t number_member(struct reading *reading, const cJSON *object, const char *name)
{
	const cJSON *found = member(reading, object, name);
	if (!found)
		return 0;
	if (!cjson.IsNumber(found) || !(found->valuedouble >= 0) || found->valuedouble > (double)ERI_NUMBER_MAX ||
	    found->valuedouble != floor(found->valuedouble)) {
		fail_reading(reading, name, "is not a whole number");
		return 0;
	}
	return (uint64_t)found->valuedouble;
}

/* A number that a manifest may leave out. */
static uint64_t number_or_none(struct reading *reading, const cJSON *object, const char *name)
{
	return object && cjson.GetObjectItemCaseSensitive(object, name) ? number_member(reading, object, name) : 0;
}

static bool truth(struct reading *reading, const cJSON *object, const char *name)
{
	const cJSON *found = member(reading, object, name);
	if (found && !cjson.IsBool(found))
		fail_reading(reading, name, "is neither true nor false");
	return found && cjson.IsTrue(found);
}

/* An array of at most `max` elements, and their number. */
static const cJSON *array(struct reading *reading, const cJSON *object, const char *name, unsigned max, unsigned *count)
{
	const cJSON *found = member(reading, object, name);
	*count = 0;
	if (found && !cjson.IsArray(found))
		fail_reading(reading, name, "is not an array");
	if (!found || !cjson.IsArray(found))
		return NULL;
	for (const cJSON *at = found->child; at && *count <= max; at = at->next)
		++*count;
	if (*count <= max)
		return found;
	fail_reading(reading, name, "has too many elements");
	*count = 0;
	return NULL;
}

/* An array of strings, ended by NULL, which the caller frees. */
static char **texts(struct reading *reading, const cJSON *object, const char *name, unsigned *count)
{
	const cJSON *found = array(reading, object, name, 1U << 20, count);
	char **all = calloc(*count + 1UL, sizeof(*all));
	unsigned i = 0;
	if (!all)
		fail_reading(reading, name, "does not fit into memory");
	for (const cJSON *at = found ? found->child : NULL; at && all; at = at->next) {
		if (!cjson.IsString(at))
			fail_reading(reading, name, "has an element that is not a string");
		all[i++] = cjson.IsString(at) ? at->valuestring : at->string;
	}
	return all;
}

static void read_trees(struct reading *reading, const cJSON *json, struct eri_step *step)
{
	const cJSON *found = array(reading, json, "trees", ERI_TREES_MAX, &step->tree_count);
	struct eri_tree_place *to = step->trees;
	for (const cJSON *at = found ? found->child : NULL; at; at = at->next) {
		to->guest = text(reading, at, "path");
		to->read_only = truth(reading, at, "read_only");
		to++;
	}
}

static uint32_t mode(struct reading *reading, const cJSON *object)
{
	uint64_t found = number_member(reading, object, "mode");
	if (found > MODE_MAX)
		fail_reading(reading, "mode", "is no mode of a file");
	return found > MODE_MAX ? 0 : (uint32_t)found;
}

static void read_outputs(struct reading *reading, const cJSON *json, struct eri_step *step)
{
	static const char *const places[] = {"stdout", "stderr", "out", "file", NULL};
	const cJSON *found = array(reading, json, "outputs", 1U << 22, &step->output_count);
	struct eri_output *to = step->outputs = calloc(step->output_count + 1UL, sizeof(*to));
	if (!to)
		fail_reading(reading, "outputs", "does not fit into memory");
	for (const cJSON *at = found && to ? found->child : NULL; at; at = at->next) {
		*to++ = (struct eri_output){
			.what = word_member(reading, at, "what", places),
			.path = text_or_none(reading, at, "path"),
			.stored = text_or_none(reading, at, "stored"),
			.sha256 = text_or_none(reading, at, "sha256"),
			.target = text_or_none(reading, at, "target"),
			.bytes = number_member(reading, at, "bytes"),
			.mode = mode(reading, at),
		};
	}
}

static void read_digest_parts(struct reading *reading, const cJSON *json, struct eri_step *step)
{
	const cJSON *parts = member(reading, json, "digest_parts");
	for (cJSON *at = parts ? parts->child : NULL; at; at = at->next) {
		if (step->part_count == ERI_PARTS_MAX || !cjson.IsString(at) || !at->string) {
			fail_reading(reading, "digest_parts", "has something else than a few named strings");
			return;
		}
		at->type |= KNOWN;
		step->parts[step->part_count++] = (struct eri_part){at->string, at->valuestring};
	}
	for (unsigned i = 0; i < step->part_count; i++)
		for (unsigned k = 0; k < i; k++)
			if (!strcmp(step->parts[i].name, step->parts[k].name))
				fail_reading(reading, "digest_parts", "has two parts of one name");
}

bool eri_manifest_is_step(const char *name)
{
	return *name && strlen(name) < 100 && strcmp(name, ".") && strcmp(name, "..") &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == strlen(name);
}

static int status(struct reading *reading, const cJSON *object)
{
	uint64_t found = number_member(reading, object, "status");
	if (found > INT_MAX)
		fail_reading(reading, "status", "is no exit status");
	return found > INT_MAX ? 0 : (int)found;
}

static void read_manifest_step(struct reading *reading, const cJSON *json, struct eri_step *step)
{
	static const char *const ends[] = {"exit", "signal", "deadlock", "none", NULL};
	step->name = text(reading, json, "name");
	if (!eri_manifest_is_step(step->name))
		fail_reading(reading, "name", "is no name of a step");
	const char *program = text(reading, json, "program");
	step->is_linux = !strcmp(program, "linux");
	if (!step->is_linux && strcmp(program, "native"))
		fail_reading(reading, "program", "is neither linux nor native");
	step->options = texts(reading, json, "options", &step->option_count);
	step->defaults = texts(reading, json, "defaults", &step->default_count);
	step->arguments = texts(reading, json, "arguments", &step->argument_count);
	if (!step->argument_count)
		fail_reading(reading, "arguments", "names no program");
	read_trees(reading, json, step);
	step->names_sha256 = text_or_none(reading, json, "names_sha256");
	step->root_sha256 = text_or_none(reading, json, "root_sha256");
	step->kernel_sha256 = text(reading, json, "kernel_sha256");
	step->kernel_symbols_sha256 = text_or_none(reading, json, "kernel_symbols_sha256");
	step->kernel_loaded_sha256 = text_or_none(reading, json, "kernel_loaded_sha256");
	step->stdin_sha256 = text_or_none(reading, json, "stdin_sha256");
	step->code_sha256 = text_or_none(reading, json, "code_sha256");
	step->events_sha256 = text_or_none(reading, json, "events_sha256");
	step->schedule_sha256 = text_or_none(reading, json, "schedule_sha256");
	step->log_sha256 = text_or_none(reading, json, "recording_log_sha256");
	step->capture_sha256 = text_or_none(reading, json, "recording_capture_sha256");
	step->end = word_member(reading, json, "end", ends);
	step->was_run = strcmp(step->end, "none") != 0;
	step->status = status(reading, json);
	step->virtual_ns = number_member(reading, json, "virtual_ns");
	step->events = number_member(reading, json, "events");
	step->wall_minutes = number_or_none(reading, json, "wall_minutes");
	step->digest = text(reading, json, "digest");
	read_digest_parts(reading, json, step);
	read_outputs(reading, json, step);
}

static void read_externals(struct reading *reading, const cJSON *json, struct eri_manifest *manifest)
{
	const cJSON *found = array(reading, json, "external", 1U << 22, &manifest->external_count);
	struct eri_external *to = manifest->externals = calloc(manifest->external_count + 1UL, sizeof(*to));
	if (!to)
		fail_reading(reading, "external", "does not fit into memory");
	for (const cJSON *at = found && to ? found->child : NULL; at; at = at->next)
		*to++ = (struct eri_external){text(reading, at, "path"), text(reading, at, "sha256"),
		                              number_member(reading, at, "bytes")};
}

bool eri_manifest_is_hosts(const char *option)
{
	static const struct {
		const char *option, *of_host;
	} values[] = {
		{"--epoch=", "now"},       {"--epoch=", "source-date"}, /* pack seals the time that these had */
		{"--preempt=", "shared:"},                              /* a file follows */
		{"--sched=", "profile="},                               /* the same */
		{"--sched=help", ""},                                   /* prints, and ends eremite */
	};
	if (!strncmp(option, "--env=", 6)) /* without a value, it is that of the host */
		return !strchr(option + 6, '=');
	for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (!strncmp(option, values[i].option, strlen(values[i].option)) &&
		    strstr(option + strlen(values[i].option), values[i].of_host))
			return true;
	return false;
}

bool eri_manifest_takes(const char *option)
{
	const size_t bytes = strcspn(option, "=");
	const char *value = option[bytes] ? option + bytes + 1 : NULL;
	if (strncmp(option, "--", 2))
		return false;
	const struct option_row *row = option_table_find(option_table_run, option + 2, bytes - 2);
	if (!row || !option_table_is_sealed(row) || !row->argument != !value)
		return false; /* without its value, an option would take the next argument for it */
	if (!strcmp(row->name, "stdin"))
		return !strcmp(value, "lines"); /* live input is no input of an image */
	return !eri_manifest_is_hosts(option);
}

bool eri_manifest_identity(const char *manifest, size_t bytes, size_t *at, uint8_t sum[DIGEST_BYTES])
{
	static const char zeros[DIGITS + 1] = "0000000000000000000000000000000000000000000000000000000000000000";
	const char *found = memmem(manifest, bytes, IDENTITY, strlen(IDENTITY));
	struct digest_sum running;
	if (!found)
		return false;
	*at = (size_t)(found - manifest) + strlen(IDENTITY);
	if (bytes - *at < DIGITS)
		return false;
	digest_begin(&running);
	digest_add(&running, manifest, *at);
	digest_add(&running, zeros, DIGITS);
	digest_add(&running, manifest + *at + DIGITS, bytes - *at - DIGITS);
	digest_end(&running, sum);
	return true;
}

/* Which eremite a newer image needs: the version that its manifest names. */
static void name_needed(const cJSON *json, char needed[80])
{
	const cJSON *version = cjson.GetObjectItemCaseSensitive(json, "eremite");
	if (version && cjson.IsString(version) && *version->valuestring)
		snprintf(needed, 80, "eremite %.50s or a newer one", version->valuestring);
	else
		snprintf(needed, 80, "a newer eremite");
}

/* A member that is the number of a version; 0 if the manifest lacks it. */
static double version_member(const cJSON *json, const char *name)
{
	const cJSON *found = cjson.GetObjectItemCaseSensitive(json, name);
	return found && cjson.IsNumber(found) ? found->valuedouble : 0;
}

/* Refuses a manifest of a later schema, in which all else may have another meaning. */
static int check_schema(const cJSON *json, struct error *error)
{
	char needed[80];
	const double schema = version_member(json, "schema");
	if (schema <= ERI_SCHEMA)
		return 0;
	name_needed(json, needed);
	return error_set(error, ENOTSUP,
	                 "its manifest has version %.0f, and this eremite (" EREMITE_VERSION
	                 ") reads versions up to %u; use %s",
	                 schema, ERI_SCHEMA, needed);
}

/* Refuses an image of a later version of the contract, or with digests of a later definition. It may have members and
 * values that are unknown here, so this comes before them. */
static int check_versions(const cJSON *json, struct error *error)
{
	char needed[80];
	const double contract = version_member(json, "contract"),
		     definition = version_member(json, "digest_definition");
	name_needed(json, needed);
	if (contract > IMAGE_ABI_VERSION)
		return error_set(error, ENOTSUP,
		                 "its manifest says that it needs version %.0f of the contract, and this eremite "
		                 "(" EREMITE_VERSION ") has version %u; use %s",
		                 contract, IMAGE_ABI_VERSION, needed);
	if (definition > DIGEST_DEFINITION)
		return error_set(error, ENOTSUP,
		                 "its manifest says that its digests are of definition %.0f, and this eremite "
		                 "(" EREMITE_VERSION ") computes definition %u; use %s",
		                 definition, DIGEST_DEFINITION, needed);
	return 0;
}

/* Finds a text in another one of `bytes` bytes. Returns what is behind it, or NULL. */
static const char *behind_text(const char *from, size_t bytes, const char *text)
{
	const char *found = memmem(from, bytes, text, strlen(text));
	return found ? found + strlen(text) : NULL;
}

/* Whether a manifest has a second identity. No string has these bytes: its quotes are escaped. */
static bool has_second(const char *manifest, size_t bytes)
{
	const char *first = behind_text(manifest, bytes, IDENTITY);
	return first && behind_text(first, bytes - (size_t)(first - manifest), IDENTITY);
}

/* Checks that nobody has edited the manifest since it was made. */
static int check_identity(const cJSON *json, const char *manifest, size_t bytes, struct error *error)
{
	uint8_t sum[DIGEST_BYTES];
	char digits[DIGEST_TEXT_BYTES];
	size_t at;
	if (!eri_manifest_identity(manifest, bytes, &at, sum))
		return error_set(error, EUCLEAN, "its manifest has no identity");
	if (has_second(manifest, bytes))
		return error_set(error, EUCLEAN, "its manifest has two identities");
	/* What was hashed is what a reader of the JSON finds. */
	const cJSON *shown = cjson.GetObjectItemCaseSensitive(json, "identity");
	if (!shown || !cjson.IsString(shown) || strlen(shown->valuestring) != DIGITS ||
	    memcmp(shown->valuestring, manifest + at, DIGITS))
		return error_set(error, EUCLEAN, "its manifest has its identity in another place than at its top");
	digest_text(sum, digits);
	if (memcmp(strchr(digits, ':') + 1, manifest + at, DIGITS))
		return error_set(error, EUCLEAN, "its manifest was edited or damaged after the image was made");
	return 0;
}

static void read_manifest_members(struct reading *reading, const cJSON *json, struct eri_manifest *manifest)
{
	manifest->schema = (unsigned)number_member(reading, json, "schema");
	manifest->version = text(reading, json, "eremite");
	manifest->commit = text_or_none(reading, json, "commit");
	manifest->contract = number_member(reading, json, "contract");
	manifest->definition = number_member(reading, json, "digest_definition");
	manifest->host_vendor = text(reading, json, "host_vendor");
	manifest->host_processor = text(reading, json, "host_processor");
	manifest->cpu = text(reading, json, "cpu");
	manifest->cpu_features = text(reading, json, "cpu_features");
	manifest->engine = engine_name(reading, text(reading, json, "engine"));
	manifest->memory_bytes = number_member(reading, json, "memory_bytes");
	manifest->packages_sha256 = text_or_none(reading, json, "packages_sha256");
	read_externals(reading, json, manifest);
	const cJSON *steps = array(reading, json, "steps", ERI_STEPS_MAX, &manifest->step_count);
	manifest->steps = calloc(manifest->step_count + 1UL, sizeof(*manifest->steps));
	if (!manifest->steps || !manifest->step_count)
		fail_reading(reading, "steps", "has no element");
	struct eri_step *step = manifest->steps;
	for (const cJSON *at = steps && step ? steps->child : NULL; at; at = at->next)
		read_manifest_step(reading, at, step++);
}

/* Says that a member was not read: it is unknown, or the second one of its name. */
static void fail_extra(struct reading *reading, const cJSON *object, const cJSON *extra)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	bool is_second = false;
	for (const cJSON *at = object->child; at; at = at->next)
		is_second = is_second || (at->type & KNOWN && !strcmp(at->string, extra->string));
	const char *name = strspn(extra->string, plain) == strlen(extra->string) ? extra->string : "?";
	fail_reading(reading, name, is_second ? "is there twice" : "is no member of it");
}

/* Checks that all members were read. Only what was read is entered, so this is as deep as the schema. */
static void check_known(struct reading *reading, const cJSON *json)
{
	for (const cJSON *at = json->child; at && !reading->wrong; at = at->next) {
		if (at->string && !(at->type & KNOWN))
			fail_extra(reading, json, at);
		else
			check_known(reading, at);
	}
}

/* Checks the version of the schema, and that each step has a name of its own. */
static void check_manifest_parts(struct reading *reading, const cJSON *json, const struct eri_manifest *manifest)
{
	member(reading, json, "identity");
	if (!manifest->schema) /* a later one is refused */
		fail_reading(reading, "schema", "is no version of a manifest");
	if (!manifest->definition)
		fail_reading(reading, "digest_definition", "is no number of a definition");
	for (unsigned i = 0; !reading->wrong && i < manifest->step_count; i++)
		for (unsigned k = 0; k < i; k++)
			if (!strcmp(manifest->steps[i].name, manifest->steps[k].name))
				fail_reading(reading, "steps", "has two steps of one name");
}

/* Whether a text has more values than are read. Strings may have commas, too, but few. */
static bool is_too_large(const char *from, size_t bytes)
{
	size_t count = 1;
	for (size_t i = 0; i < bytes; i++)
		count += from[i] == ',' || from[i] == '[' || from[i] == '{';
	return count > VALUES_MAX;
}

int eri_manifest_read(struct eri_manifest *manifest, const char *from, size_t bytes, struct error *error)
{
	struct reading reading = {0};
	*manifest = (struct eri_manifest){0};
	int result = cjson_load(error);
	if (result)
		return result;
	if (is_too_large(from, bytes))
		return error_set(error, EUCLEAN, "its manifest has more than %lu values", VALUES_MAX);
	cJSON *json = cjson.ParseWithLength(from, bytes);
	if (!json)
		return error_set(error, EUCLEAN, "its manifest is not JSON");
	manifest->json = json;
	const char *wrong = eri_json_wrong(from, bytes);
	if (wrong)
		result = error_set(error, EUCLEAN, "its manifest is not JSON: %s", wrong);
	if (!result)
		result = check_schema(json, error);
	if (!result)
		result = check_identity(json, from, bytes, error);
	if (!result)
		result = check_versions(json, error);
	if (!result)
		read_manifest_members(&reading, json, manifest);
	if (!result)
		check_manifest_parts(&reading, json, manifest);
	if (!result)
		check_known(&reading, json);
	if (!result && reading.wrong && manifest->contract <= IMAGE_ABI_VERSION) /* a later one may have other values */
		result = error_set(error, EUCLEAN, "its manifest is not valid: '%s' %s", reading.where, reading.wrong);
	if (result)
		eri_manifest_fini(manifest);
	return result;
}

void eri_manifest_fini(struct eri_manifest *manifest)
{
	for (unsigned i = 0; manifest->steps && i < manifest->step_count; i++) {
		free(manifest->steps[i].options);
		free(manifest->steps[i].defaults);
		free(manifest->steps[i].arguments);
		free(manifest->steps[i].outputs);
	}
	free(manifest->steps);
	free(manifest->externals);
	if (manifest->json)
		cjson.Delete(manifest->json);
	*manifest = (struct eri_manifest){0};
}
