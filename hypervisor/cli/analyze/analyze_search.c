/* SPDX-License-Identifier: MIT */
#include "cli/analyze/analyze_search.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cjson.h"
#include "base/clean_text.h"
#include "base/die.h"
#include "base/value.h"
#include "cli/option_words.h"

#define RESULTS_MAX (1UL << 30) /* bytes of a file of results */
#define PIECE 65536

/* Splits FILE[:N]. A colon that no number follows belongs to the name. Returns N. */
static uint64_t split(const char *text, char *path, size_t bytes)
{
	const char *colon = strrchr(text, ':');
	uint64_t number = 1;
	size_t length = strlen(text);
	if (colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1) &&
	    !value_number(colon + 1, &number))
		length = (size_t)(colon - text);
	if (!length || length >= bytes || !number)
		die("analyze: --search=%s: give FILE, or FILE:N with N from 1", text);
	memcpy(path, text, length);
	path[length] = 0;
	return number;
}

static char *read_file(const char *path, size_t *bytes)
{
	char *text = NULL;
	size_t room = 0, got;
	FILE *from = fopen(path, "re");
	if (!from)
		die("analyze: --search: cannot read %s: %s", path, strerror(errno));
	*bytes = 0;
	do {
		if (*bytes > RESULTS_MAX || !array_reserve(text, room, *bytes + PIECE))
			die("analyze: --search: %s is too large", path);
		got = fread(text + *bytes, 1, PIECE, from);
		*bytes += got;
	} while (got);
	if (ferror(from))
		die("analyze: --search: cannot read %s: %s", path, strerror(errno));
	fclose(from);
	return text;
}

/* Takes the next word of a command line as image_text_words() writes it: bare, or in single quotes. */
static char *take_word(const char **text)
{
	const char *at = *text + strspn(*text, " ");
	char *word = malloc(strlen(at) + 1), *to = word;
	bool quoted = false;
	if (!word)
		die("out of memory");
	for (; *at && (quoted || *at != ' '); at++) {
		if (*at == '\'')
			quoted = !quoted;
		else if (*at == '\\' && !quoted && at[1])
			*to++ = *++at;
		else
			*to++ = *at;
	}
	*to = 0;
	*text = at + strspn(at, " ");
	return word;
}

/* Options that the command of a result may give `eremite run`. None of them names a file that is written, or makes a
 * run less confined: results may come from somebody else. */
static const char *const taken[] = {
	"--sched",    "--sched-seed", "--from",    "--preempt", "--seed",   "--epoch",      "--layout-seed",
	"--cpu",      "--uptime",     "--cpus",    "--memory",  "--engine", "--argv0",      "--env",
	"--net-time", "--net-fault",  "--workdir", "--root",    "--bind",   "--file-times", "--unknown-syscall",
	"--data",     "--step",       "--timeout", "-e",        "--stdin",  "--user"};

static void check_words(char **words, int count, const char *path)
{
	for (int i = 2; i < count && words[i][0] == '-' && strcmp(words[i], "--"); i++) {
		const size_t bytes = strcspn(words[i], "=");
		unsigned j = 0;
		while (j < sizeof(taken) / sizeof(taken[0]) &&
		       (strlen(taken[j]) != bytes || strncmp(words[i], taken[j], bytes)))
			j++;
		if (!strcmp(words[i], "--no-env") || !strcmp(words[i], "--no-cache") ||
		    !strcmp(words[i], "--strict-files"))
			continue;
		if (j == sizeof(taken) / sizeof(taken[0])) {
			clean_text(words[i], strlen(words[i]));
			die("analyze: --search: the command in %s has %.100s, which is not taken from a file; give the "
			    "command's options and program yourself, if you trust them",
			    path, words[i]);
		}
		i += !words[i][bytes]; /* its value is the next word */
	}
}

char **analyze_search_words(const char *text, char *path, size_t room, int *count, bool *is_timeout, double *seconds,
                            const cJSON **races)
{
	char error[256], **words = NULL;
	const uint64_t number = split(text, path, room);
	size_t bytes;
	if (cjson_load(error))
		die("%s", error);
	char *content = read_file(path, &bytes);
	cJSON *json = cjson.ParseWithLength(content, bytes);
	const cJSON *ways = json ? cjson.GetObjectItemCaseSensitive(json, "distinct") : NULL, *way;
	if (!cjson.IsArray(ways))
		die("analyze: --search: %s is not the results of a search in JSON", path);
	uint64_t left = number;
	for (way = ways->child; way && --left;)
		way = way->next;
	if (!way)
		die("analyze: --search: the search of %s has not found %lu ways to fail", path, number);
	const cJSON *command = cjson.GetObjectItemCaseSensitive(way, "command");
	if (!cjson.IsString(command))
		die("analyze: --search: %s is not the results of a search in JSON", path);
	const cJSON *end = cjson.GetObjectItemCaseSensitive(way, "end");
	const cJSON *took = cjson.GetObjectItemCaseSensitive(json, "seconds");
	*seconds = took && cjson.IsNumber(took) ? took->valuedouble : 0;
	*is_timeout = cjson.IsString(end) && !strncmp(end->valuestring, "timeout", strlen("timeout"));
	for (const char *at = command->valuestring; *at;)
		option_words_append(&words, count, take_word(&at));
	if (*count < 3 || strcmp(words[0], "eremite") || strcmp(words[1], "run"))
		die("analyze: --search: the command in %s is not 'eremite run'", path);
	check_words(words, *count, path);
	*races = cjson.GetObjectItemCaseSensitive(json, "races");
	if (!*races)
		cjson.Delete(json);
	free(content);
	return words;
}
