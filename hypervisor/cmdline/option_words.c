/* SPDX-License-Identifier: MIT */
#include "cmdline/option_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmdline/option_names.h"

#define OWN_MAX 64U

void option_words_append(char ***array, int *count, char *text)
{
	char **grown = memory_or_die(realloc(*array, ((size_t)*count + 2) * sizeof(**array)));
	grown[(*count)++] = text;
	grown[*count] = NULL;
	*array = grown;
}

/* The next word, which is the value of the option at `at`. */
static char *next_word(struct option_words *words)
{
	if (words->at + 1 >= words->argc)
		die("%s: %s needs a value; see 'eremite %s --help'", words->verb, words->argv[words->at], words->verb);
	return words->argv[++words->at];
}

char *option_words_value(struct option_words *words, const char *name)
{
	char *word = words->argv[words->at];
	const size_t bytes = strlen(name);
	if (strncmp(word, name, bytes) || (word[bytes] && word[bytes] != '='))
		return NULL;
	return word[bytes] ? word + bytes + 1 : next_word(words);
}

/* The row of the option that a word gives, or NULL. */
static const struct option_row *row_of(const struct option_row *row, const char *word)
{
	if (word[1] == '-')
		return option_table_find(row, word + 2, strcspn(word + 2, "="));
	while (row->name && row->letter != word[1])
		row++;
	return row->name ? row : NULL;
}

static void print_row(const struct option_row *row)
{
	static const char indent[] = "                         ";
	const char *between = !row->argument ? "" : row->traits & OPTION_IS_FOLLOWED ? " " : "=";
	char letter[] = "    ", *label = NULL;
	if (row->letter)
		snprintf(letter, sizeof(letter), "-%c, ", row->letter);
	label = text_of("  %s--%s%s%s", letter, row->name, between, row->argument ? row->argument : "");
	const int blanks = (int)(sizeof(indent) - 1) - (int)strlen(label);
	printf("%s%*s", label, blanks > 0 ? blanks : 2, "");
	for (const char *line = row->help; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		printf("%s%.*s\n", line == row->help ? "" : indent, (int)strcspn(line, "\n"), line);
	free(label);
}

/* Prints --help, and ends eremite. */
static _Noreturn void print_help(const struct option_words *words)
{
	fputs(words->before, stdout);
	for (const struct option_row *row = words->rows; row->name; row++)
		if (!(row->traits & OPTION_IS_HIDDEN))
			print_row(row);
	exit(fputs(words->after, stdout) < 0);
}

/* Whether a value is one of a list with blanks between them. */
static bool is_listed(const char *values, const char *value)
{
	const size_t bytes = strlen(value);
	for (const char *at = values; bytes && !strchr(value, ' ') && (at = strstr(at, value)); at += bytes)
		if ((at == values || at[-1] == ' ') && (!at[bytes] || at[bytes] == ' '))
			return true;
	return false;
}

/* The value of an option that takes only some values; NULL: another value, or none. */
static char *listed_value(struct option_words *words, const struct option_row *row)
{
	char *word = words->argv[words->at], *equals = strchr(word, '=');
	char *value = equals ? equals + 1 : words->at + 1 < words->argc ? words->argv[words->at + 1] : NULL;
	if (!value || !is_listed(row->values, value))
		return NULL;
	words->at += !equals;
	return value;
}

static bool is_help(const char *word)
{
	return !strcmp(word, "-h") || !strcmp(word, "--help") || !strcmp(word, "-?");
}

const struct option_row *option_words_own(struct option_words *words, char **value)
{
	char *word = words->argv[words->at];
	const bool is_long = word[1] == '-';
	const bool has_value = is_long ? strchr(word, '=') != NULL : word[2] != 0;
	const struct option_row *row = row_of(words->rows, word);
	*value = NULL;
	if (is_help(word))
		print_help(words);
	if (!row)
		return NULL;
	if (!row->argument || row->traits & OPTION_IS_FOLLOWED)
		return has_value ? NULL : row;
	if (row->traits & OPTION_TAKES_VALUES)
		return (*value = listed_value(words, row)) ? row : NULL;
	if (has_value)
		*value = is_long ? strchr(word, '=') + 1 : word + 2;
	else if (!(row->traits & OPTION_VALUE_OPTIONAL))
		*value = next_word(words);
	return row;
}

const struct option_row *option_words_run_row(const struct option_words *words)
{
	const char *word = words->argv[words->at];
	return word[1] == '-' ? row_of(option_table_run, word) : NULL;
}

/* The names of the verb's own options that are not hidden. */
static const char *const *own_names(const struct option_row *rows)
{
	static const char *names[OWN_MAX + 1];
	unsigned count = 0;
	for (; rows->name && count < OWN_MAX; rows++)
		if (!(rows->traits & OPTION_IS_HIDDEN))
			names[count++] = rows->name;
	names[count] = NULL;
	return names;
}

void option_words_take(struct option_words *words, char ***to, int *count)
{
	char *word = words->argv[words->at];
	const struct option_row *row = row_of(option_table_run, word);
	const struct option_verb verb = {words->verb, own_names(words->rows), false, false};
	const bool has_value = word[1] == '-' ? strchr(word, '=') != NULL : word[2] != 0;
	const bool takes_next = row && row->argument && !(row->traits & OPTION_VALUE_OPTIONAL) && !has_value &&
	                        words->at + 1 < words->argc;
	char *line[] = {word, word, takes_next ? words->argv[words->at + 1] : NULL};
	option_names_check(&verb, option_table_run, takes_next ? 3 : 2, line);
	option_words_append(to, count, word);
	if (takes_next)
		option_words_append(to, count, words->argv[++words->at]);
}
