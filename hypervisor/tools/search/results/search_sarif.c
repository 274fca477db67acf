/* SPDX-License-Identifier: MIT */
/* All names come from the program. In messages of SARIF, brackets begin a link and braces a placeholder, so both are
 * escaped; paths are percent-encoded. */
#include "search/results/search_sarif.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/commit.h"
#include "base/memory.h"
#include "base/text.h"
#include "library/json_out.h"

/* --- text --- */

/* Returns a text for the member `text` of a message (SARIF 2.1.0, 3.11.5 and 3.11.6). */
static char *escape_message(const char *text)
{
	struct text_made made;
	FILE *to = text_open(&made);
	for (; *text; text++) {
		if (strchr("[]\\", *text))
			fputc('\\', to);
		else if (strchr("{}", *text))
			fputc(*text, to);
		fputc(*text, to);
	}
	return text_close(&made);
}

/* Returns a path as a URI: a relative one stays relative. */
static char *uri_of(const char *path, size_t length)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
	struct text_made made;
	FILE *to = text_open(&made);
	fputs(*path == '/' ? "file://" : "", to);
	for (size_t i = 0; i < length; i++)
		if (strchr(plain, path[i]))
			fputc(path[i], to);
		else
			fprintf(to, "%%%02X", (unsigned char)path[i]);
	return text_close(&made);
}

static void add_message(cJSON *object, const char *name, const char *text)
{
	char *escaped = escape_message(text);
	cjson.AddStringToObject(cjson.AddObjectToObject(object, name), "text", escaped);
	free(escaped);
}

/* --- places --- */

/* Adds where a frame is, "function+0x12 (module, /path/file.c:3)", to a location. */
static void add_place(cJSON *location, const char *frame)
{
	size_t bytes;
	const char *source = search_frame_source(frame, &bytes), *colon = source ? memrchr(source, ':', bytes) : NULL;
	if (colon) {
		char *uri = uri_of(source, (size_t)(colon - source));
		const unsigned long line = strtoul(colon + 1, NULL, 10);
		cJSON *physical = cjson.AddObjectToObject(location, "physicalLocation");
		cjson.AddStringToObject(cjson.AddObjectToObject(physical, "artifactLocation"), "uri", uri);
		if (line)
			cjson.AddNumberToObject(cjson.AddObjectToObject(physical, "region"), "startLine", (double)line);
		free(uri);
	}
	size_t end = strlen(frame);
	for (const char *at = frame; (at = strstr(at, " (")); at++)
		end = (size_t)(at - frame);
	const char *offset = strstr(frame, "+0x");
	const bool has_name = offset != frame;
	end = has_name && offset && (size_t)(offset - frame) < end ? (size_t)(offset - frame) : end;
	char *function = text_of("%.*s", has_name ? (int)end : (int)strlen(frame), frame);
	cJSON *logical = json_out_append(cjson.AddArrayToObject(location, "logicalLocations"));
	cjson.AddStringToObject(logical, "fullyQualifiedName", function);
	cjson.AddStringToObject(logical, "kind", "function");
	free(function);
}

/* Returns the frame whose place is that of the access. */
static char *shown_frame(const struct search_access *access)
{
	const char *frame = access->frames, *end;
	for (; *frame; frame = *end ? end + 1 : end) {
		size_t bytes;
		end = strchrnul(frame, '\n');
		char *copy = text_of("%.*s", (int)(end - frame), frame);
		const char *source = search_frame_source(copy, &bytes);
		const size_t wanted = strlen(access->place);
		if (source && bytes >= wanted && !strncmp(source + bytes - wanted, access->place, wanted))
			return copy;
		free(copy);
	}
	return text_of("%.*s", (int)strcspn(access->frames, "\n"), access->frames);
}

static void add_location(cJSON *array, const struct search_access *access, const char *said)
{
	cJSON *location = json_out_append(array);
	char *frame = shown_frame(access);
	add_place(location, frame);
	add_message(location, "message", said);
	free(frame);
}

static void add_stack(cJSON *array, const struct search_access *access, const char *said)
{
	cJSON *stack = json_out_append(array), *frames = NULL;
	add_message(stack, "message", said);
	frames = cjson.AddArrayToObject(stack, "frames");
	for (const char *frame = access->frames, *end; *frame; frame = *end ? end + 1 : end) {
		end = strchrnul(frame, '\n');
		char *copy = text_of("%.*s", (int)(end - frame), frame);
		cJSON *entry = json_out_append(frames);
		add_place(cjson.AddObjectToObject(entry, "location"), copy);
		cjson.AddNumberToObject(entry, "threadId", access->thread);
		free(copy);
	}
}

/* --- the document --- */

static void add_rule(cJSON *rules, const char *id, const char *name, const char *text)
{
	cJSON *rule = json_out_append(rules);
	cjson.AddStringToObject(rule, "id", id);
	cjson.AddStringToObject(rule, "name", name);
	add_message(rule, "shortDescription", text);
}

static void add_result(cJSON *results, const struct search_race *race)
{
	cJSON *result = json_out_append(results);
	const struct search_access *first = &race->at[0], *second = &race->at[1];
	char *text = text_of("%s%s %s %s, %s %s it, and nothing orders them.",
	                     race->is_certain ? "" : "Possible race: ", first->place, search_access_verb(first),
	                     race->object, second->place, search_access_verb(second)),
	     *key = text_of("%s|%s|%s", first->key ? first->key : first->place,
	                    second->key ? second->key : second->place,
	                    strncmp(race->object, "0x", 2) ? race->object : "");
	cjson.AddStringToObject(result, "ruleId", race->is_certain ? "race" : "possible-race");
	cjson.AddNumberToObject(result, "ruleIndex", race->is_certain ? 0 : 1);
	cjson.AddStringToObject(result, "level", race->is_certain ? "error" : "note");
	add_message(result, "message", text);
	cjson.AddStringToObject(cjson.AddObjectToObject(result, "partialFingerprints"), "eremiteRace/v1", key);
	cJSON *stacks = NULL;
	for (unsigned side = 0; side < 2; side++) {
		const struct search_access *access = &race->at[side];
		char *said =
			text_of("thread %" PRIu32 " %s %s", access->thread, search_access_verb(access), race->object);
		cJSON *locations = cjson.AddArrayToObject(result, side ? "relatedLocations" : "locations");
		add_location(locations, access, said);
		if (!side)
			stacks = cjson.AddArrayToObject(result, "stacks");
		add_stack(stacks, access, said);
		free(said);
	}
	cJSON *properties = cjson.AddObjectToObject(result, "properties");
	cjson.AddStringToObject(properties, "object", race->object);
	cjson.AddNumberToObject(properties, "firstTry", (double)race->first_try);
	cjson.AddNumberToObject(properties, "tries", (double)race->tries);
	free(key);
	free(text);
}

void search_sarif_put(FILE *to, const struct search_races *races, const char *program)
{
	cJSON *json = memory_or_die(cjson.CreateObject());
	cjson.AddStringToObject(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	cjson.AddStringToObject(json, "version", "2.1.0");
	cJSON *run = json_out_append(cjson.AddArrayToObject(json, "runs"));
	cJSON *driver = cjson.AddObjectToObject(cjson.AddObjectToObject(run, "tool"), "driver");
	cjson.AddStringToObject(driver, "name", "eremite search");
	cjson.AddStringToObject(driver, "version", commit_version);
	cJSON *rules = cjson.AddArrayToObject(driver, "rules");
	add_rule(rules, "race", "DataRace",
	         "Two threads access the same memory, one of them writes, and nothing orders them.");
	add_rule(rules, "possible-race", "PossibleDataRace",
	         "A data race, unless the accesses, or others between them, are atomic operations.");
	cjson.AddStringToObject(cjson.AddObjectToObject(run, "properties"), "program", program);
	cJSON *results = cjson.AddArrayToObject(run, "results");
	for (size_t i = 0; i < races->count; i++)
		add_result(results, &races->all[i]);
	memory_check(!json_out_print(to, json));
	cjson.Delete(json);
}
