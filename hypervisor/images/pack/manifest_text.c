/* SPDX-License-Identifier: MIT */
#include "pack/manifest_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "library/cjson.h"
#include "base/error.h"
#include "base/utf8.h"
#include "base/version.h"

/* The first text that is not UTF-8, which JSON requires. */
static const char *odd;

static void put_text_member(cJSON *object, const char *name, const char *text)
{
	if (!utf8_is(text) && !odd)
		odd = text;
	cjson.AddStringToObject(object, name, text);
}

static void put_optional_text(cJSON *object, const char *name, const char *text)
{
	if (*text)
		put_text_member(object, name, text);
}

/* The first number that is too large, and what it is. */
static uint64_t large;
static const char *large_name;

static void put_number_member(cJSON *object, const char *name, uint64_t value)
{
	if (value > ERI_NUMBER_MAX && !large_name) {
		large = value;
		large_name = name;
	}
	cjson.AddNumberToObject(object, name, (double)value);
}

static void add_texts(cJSON *object, const char *name, char *const *texts, unsigned count)
{
	cJSON *array = cjson.AddArrayToObject(object, name);
	for (unsigned i = 0; i < count; i++) {
		if (!utf8_is(texts[i]) && !odd)
			odd = texts[i];
		cjson.AddItemToArray(array, cjson.CreateString(texts[i]));
	}
}

static cJSON *put_object_member(cJSON *array)
{
	cJSON *object = cjson.CreateObject();
	cjson.AddItemToArray(array, object);
	return object;
}

static void put_outputs(cJSON *json, const struct eri_step *step)
{
	cJSON *array = cjson.AddArrayToObject(json, "outputs");
	for (unsigned i = 0; i < step->output_count; i++) {
		const struct eri_output *output = &step->outputs[i];
		cJSON *object = put_object_member(array);
		put_text_member(object, "what", output->what);
		put_optional_text(object, "path", output->path);
		put_optional_text(object, "stored", output->stored);
		put_optional_text(object, "sha256", output->sha256);
		put_optional_text(object, "target", output->target);
		put_number_member(object, "bytes", output->bytes);
		cjson.AddNumberToObject(object, "mode", output->mode);
	}
}

static void put_step_member(cJSON *array, const struct eri_step *step)
{
	cJSON *json = put_object_member(array);
	put_text_member(json, "name", step->name);
	put_text_member(json, "program", step->is_linux ? "linux" : "native");
	add_texts(json, "options", step->options, step->option_count);
	add_texts(json, "defaults", step->defaults, step->default_count);
	add_texts(json, "arguments", step->arguments, step->argument_count);
	cJSON *trees = cjson.AddArrayToObject(json, "trees");
	for (unsigned i = 0; i < step->tree_count; i++) {
		cJSON *tree = put_object_member(trees);
		put_text_member(tree, "path", step->trees[i].guest);
		cjson.AddBoolToObject(tree, "read_only", step->trees[i].read_only);
	}
	put_optional_text(json, "names_sha256", step->names_sha256);
	put_optional_text(json, "root_sha256", step->root_sha256);
	put_text_member(json, "kernel_sha256", step->kernel_sha256);
	put_optional_text(json, "kernel_symbols_sha256", step->kernel_symbols_sha256);
	put_optional_text(json, "kernel_loaded_sha256", step->kernel_loaded_sha256);
	put_optional_text(json, "stdin_sha256", step->stdin_sha256);
	put_optional_text(json, "code_sha256", step->code_sha256);
	put_optional_text(json, "events_sha256", step->events_sha256);
	put_optional_text(json, "schedule_sha256", step->schedule_sha256);
	if (*step->log_sha256) {
		put_text_member(json, "recording_log_sha256", step->log_sha256);
		put_text_member(json, "recording_capture_sha256", step->capture_sha256);
	}
	put_text_member(json, "end", step->end);
	cjson.AddNumberToObject(json, "status", step->status);
	put_number_member(json, "virtual_ns", step->virtual_ns);
	put_number_member(json, "events", step->events);
	if (step->wall_minutes)
		put_number_member(json, "wall_minutes", step->wall_minutes);
	put_text_member(json, "digest", step->digest);
	cJSON *parts = cjson.AddObjectToObject(json, "digest_parts");
	for (unsigned i = 0; i < step->part_count; i++)
		put_text_member(parts, step->parts[i].name, step->parts[i].sum);
	put_outputs(json, step);
}

static cJSON *make_manifest(const struct eri_manifest *manifest)
{
	static const char zeros[] = "0000000000000000000000000000000000000000000000000000000000000000";
	cJSON *json = cjson.CreateObject();
	if (!json)
		return NULL;
	cjson.AddNumberToObject(json, "schema", ERI_SCHEMA);
	cjson.AddStringToObject(json, "identity", zeros);
	put_text_member(json, "eremite", manifest->version);
	put_optional_text(json, "commit", manifest->commit);
	put_number_member(json, "contract", manifest->contract);
	put_number_member(json, "digest_definition", manifest->definition);
	put_text_member(json, "host_vendor", manifest->host_vendor);
	put_text_member(json, "host_processor", manifest->host_processor);
	put_text_member(json, "engine", manifest->engine);
	put_text_member(json, "cpu", manifest->cpu);
	put_text_member(json, "cpu_features", manifest->cpu_features);
	put_number_member(json, "memory_bytes", manifest->memory_bytes);
	put_optional_text(json, "packages_sha256", manifest->packages_sha256);
	cJSON *externals = cjson.AddArrayToObject(json, "external");
	for (unsigned i = 0; i < manifest->external_count; i++) {
		cJSON *object = put_object_member(externals);
		put_text_member(object, "path", manifest->externals[i].path);
		put_text_member(object, "sha256", manifest->externals[i].sha256);
		put_number_member(object, "bytes", manifest->externals[i].bytes);
	}
	cJSON *steps = cjson.AddArrayToObject(json, "steps");
	for (unsigned i = 0; i < manifest->step_count; i++)
		put_step_member(steps, &manifest->steps[i]);
	return json;
}

char *manifest_text(const struct eri_manifest *manifest, struct error *error)
{
	if (cjson_load(error))
		return NULL;
	odd = NULL;
	large_name = NULL;
	cJSON *json = make_manifest(manifest);
	char *printed = json ? cjson.Print(json) : NULL, *text = NULL;
	if (printed && odd)
		error_set(error, EINVAL, "an image can name only what is UTF-8, and %.160s is not", odd);
	else if (printed && large_name)
		error_set(error, EOVERFLOW,
		          "the run has %s %" PRIu64
		          ", and an image can name numbers up to 2^53 (104 days in ns); have the "
		          "program do less, or seal it without its run by --no-run",
		          large_name, large);
	else if (!printed || asprintf(&text, "%s\n", printed) < 0)
		error_set(error, ENOMEM, "out of memory");
	cjson.free(printed);
	cjson.Delete(json);
	return text;
}
