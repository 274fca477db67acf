/* SPDX-License-Identifier: MIT */
#include "cli/search/search_resume.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cjson.h"
#include "base/clean_text.h"
#include "base/die.h"
#include "base/text.h"

#define RESULTS_MAX (1L << 30)
#define COUNT_MAX 9007199254740992.0 /* integers up to here are exact in a double */

/* Reads the file. The caller frees it. */
static char *read_file(const char *path, size_t *bytes)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st))
		die("search: --resume: cannot open %s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size > RESULTS_MAX)
		die("search: --resume: %s is not a file with the results of a search", path);
	char *text = malloc((size_t)st.st_size + 1);
	if (!text)
		die("out of memory");
	if (read(fd, text, (size_t)st.st_size) != st.st_size)
		die("search: --resume: cannot read %s", path);
	close(fd);
	*bytes = (size_t)st.st_size;
	return text;
}

static _Noreturn void reject(const char *path, const char *member)
{
	die("search: --resume: %s is not the results of a search: its %s is missing or not valid", path, member);
}

static double real(const cJSON *object, const char *name, const char *path)
{
	const cJSON *found = cjson.GetObjectItemCaseSensitive(object, name);
	if (!cjson.IsNumber(found) || !(found->valuedouble >= 0 && found->valuedouble < COUNT_MAX))
		reject(path, name);
	return found->valuedouble;
}

/* An integer from min to max. */
static uint64_t number(const cJSON *object, const char *name, uint64_t min, uint64_t max, const char *path)
{
	const double value = real(object, name, path);
	if (value != (double)(uint64_t)value || value < (double)min || value > (double)max)
		reject(path, name);
	return (uint64_t)value;
}

static const char *text(const cJSON *object, const char *name, const char *path)
{
	const cJSON *found = cjson.GetObjectItemCaseSensitive(object, name);
	if (!cjson.IsString(found))
		reject(path, name);
	return found->valuestring;
}

static const cJSON *array(const cJSON *object, const char *name, const char *path)
{
	const cJSON *found = cjson.GetObjectItemCaseSensitive(object, name);
	if (!cjson.IsArray(found))
		reject(path, name);
	return found->child;
}

/* The lines of an array of strings. The caller frees them. */
static char *lines(const cJSON *object, const char *name, const char *path)
{
	char *all;
	size_t bytes;
	FILE *to = open_memstream(&all, &bytes);
	if (!to)
		die("out of memory");
	for (const cJSON *at = array(object, name, path); at; at = at->next) {
		if (!cjson.IsString(at))
			reject(path, name);
		clean_text(at->valuestring, strlen(at->valuestring));
		fprintf(to, "%s\n", at->valuestring);
	}
	if (fclose(to))
		die("out of memory");
	return all;
}

static char *copy_of(const char *from)
{
	char *copy = text_of("%s", from);
	clean_text(copy, strlen(copy)); /* the file may be somebody else's */
	return copy;
}

/* Sets which try the command repeats. If none that counts failed with the list of points, this search looks again. */
static void set_command_try(const cJSON *json, const char *path, const struct search_option *option, uint64_t tries,
                            struct search_distinct *to)
{
	to->command_try = to->first_try;
	if (cjson.GetObjectItemCaseSensitive(json, "command_try")) {
		to->command_try = number(json, "command_try", 1, tries, path);
		return;
	}
	if (to->first_try > option->points_tries)
		return;
	free(to->command);
	to->command = search_try_command(option, to->first_try, to->inputs, NULL);
}

/* Adds a way to fail. Returns in how many tries it was seen. */
static uint64_t add_distinct(const cJSON *json, const char *path, const struct search_option *option,
                             struct search_results *results)
{
	if (!array_reserve(results->distinct, results->distinct_room, results->distinct_count + 1))
		die("out of memory");
	struct search_distinct *to = &results->distinct[results->distinct_count++];
	*to = (struct search_distinct){.end = copy_of(text(json, "end", path)),
	                               .stacks = lines(json, "stacks", path),
	                               .command = copy_of(text(json, "command", path)),
	                               .first_try = number(json, "first_try", 1, results->tries, path),
	                               .count = number(json, "count", 1, results->failures, path)};
	for (const cJSON *at = array(json, "inputs", path); at; at = at->next) {
		unsigned input = 0;
		while (input < SEARCH_INPUTS &&
		       (!cjson.IsString(at) || strcmp(at->valuestring, search_input_name(input))))
			input++;
		if (input == SEARCH_INPUTS)
			reject(path, "inputs");
		to->inputs |= 1U << input;
	}
	set_command_try(json, path, option, results->tries, to);
	const bool has_failure = cjson.GetObjectItemCaseSensitive(json, "failure");
	to->said.key = copy_of(has_failure ? text(json, "failure", path) : "");
	if (cjson.GetObjectItemCaseSensitive(json, "said"))
		to->said.lines = lines(json, "said", path);
	if (cjson.GetObjectItemCaseSensitive(json, "differs"))
		to->differs = lines(json, "differs", path);
	to->identity = search_outcome_identity(to->end, to->stacks, to->said.key);
	const cJSON *repeats = cjson.GetObjectItemCaseSensitive(json, "repeats");
	if (cjson.IsBool(repeats))
		to->repeats = cjson.IsTrue(repeats) ? REPEATS : REPEATS_NOT;
	return to->count;
}

void search_resume(const char *path, const struct search_option *option, struct search_results *results)
{
	size_t bytes;
	char *file = read_file(path, &bytes), *line = search_results_line(option);
	cJSON *json = cjson.ParseWithLength(file, bytes);
	if (!json)
		die("search: --resume: %s is not JSON; give a file of --results=json:FILE", path);
	number(json, "schema", 1, 1, path);
	if (strcmp(text(json, "search", path), line))
		die("search: --resume: %s has the results of another search, %s; give its options and its program",
		    path, text(json, "search", path));
	results->tries = number(json, "tries", 0, UINT32_MAX, path);
	if (results->tries > option->runs)
		die("search: --resume: %s has %lu tries, more than the %lu of --runs; give a larger --runs", path,
		    results->tries, option->runs);
	results->failures = number(json, "failures", 0, results->tries, path);
	results->timeouts = number(json, "timeouts", 0, results->tries, path);
	results->earlier_seconds = real(json, "seconds", path);
	if (option->feedback) {
		char *learnt = lines(json, "feedback", path);
		if (!search_feedback_parse(option->feedback, learnt, results->tries))
			reject(path, "feedback");
		free(learnt);
	}
	uint64_t counted = 0;
	for (const cJSON *at = array(json, "distinct", path); at; at = at->next)
		counted += add_distinct(at, path, option, results);
	if (counted != results->failures)
		reject(path, "failures");
	cjson.Delete(json);
	free(line);
	free(file);
}
