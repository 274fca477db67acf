/* SPDX-License-Identifier: MIT */
#include "analyze/analyze_search.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/value.h"
#include "cmdline/option_words.h"
#include "library/json_in.h"

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

/* Copies $'\\ooo...', of which *at is behind the first quote, and leaves it at the last one. */
static char *take_octal(const char **at, char *to)
{
	for (; **at && **at != '\''; (*at)++) {
		unsigned byte;
		if (sscanf(*at, "\\%3o", &byte) == 1 && byte && byte <= UINT8_MAX) {
			*to++ = (char)byte;
			*at += 3;
		} else {
			*to++ = **at;
		}
	}
	return to;
}

/* Takes the next word of a command line as image_text_words_utf8() writes it: bare, in single quotes, or octal. */
static char *take_word(const char **text)
{
	const char *at = *text + strspn(*text, " ");
	char *word = memory_or_die(malloc(strlen(at) + 1)), *to = word;
	bool quoted = false;
	for (; *at && (quoted || *at != ' '); at++) {
		if (!quoted && at[0] == '$' && at[1] == '\'') {
			at += 2;
			to = take_octal(&at, to);
			if (!*at)
				break;
		} else if (*at == '\'')
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
	"--data",     "--step",       "--timeout", "-e",        "--stdin",  "--user",       "--clock"};

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

char **analyze_search_words(const char *text, char *path, size_t room, int *count, struct analyze_search_found *found)
{
	struct error error;
	char **words = NULL;
	const uint64_t number = split(text, path, room);
	const struct json_in in = {"analyze", "--search", path, "the results of a search in JSON"};
	if (cjson_load(&error))
		die("%s", error.text);
	cJSON *json = json_in_read(&in);
	const cJSON *way = json_in_array(&in, json, "distinct");
	for (uint64_t left = number; way && --left;)
		way = way->next;
	if (!way)
		die("analyze: --search: the search of %s has not found %lu ways to fail", path, number);
	const char *end = json_in_text_or_null(&in, way, "end");
	found->seconds = cjson.GetObjectItemCaseSensitive(json, "seconds") ? json_in_real(&in, json, "seconds") : 0;
	found->is_timeout = end && !strncmp(end, "timeout", strlen("timeout"));
	for (const char *at = json_in_bytes(&in, way, "command"); *at;)
		option_words_append(&words, count, take_word(&at));
	if (*count < 3 || strcmp(words[0], "eremite") || strcmp(words[1], "run"))
		die("analyze: --search: the command in %s is not 'eremite run'", path);
	check_words(words, *count, path);
	found->races = cjson.GetObjectItemCaseSensitive(json, "races");
	found->differs = cjson.GetObjectItemCaseSensitive(way, "differs");
	if (!found->races && !found->differs)
		cjson.Delete(json);
	return words;
}
