/* SPDX-License-Identifier: MIT */
#include "cli/option_words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "cli/option_list.h"

void option_words_append(char ***array, int *count, char *text)
{
	char **grown = realloc(*array, ((size_t)*count + 2) * sizeof(**array));
	if (!grown)
		die("out of memory");
	grown[(*count)++] = text;
	grown[*count] = NULL;
	*array = grown;
}

char *option_words_value(struct option_words *words, const char *name)
{
	char *word = words->argv[words->at];
	size_t bytes = strlen(name);
	if (strncmp(word, name, bytes) || (word[bytes] && word[bytes] != '=' && name[1] == '-'))
		return NULL;
	if (word[bytes] == '=' && name[1] == '-')
		return word + bytes + 1;
	if (word[bytes])
		return word + bytes;
	if (words->at + 1 >= words->argc)
		die("%s: %s needs a value; see 'eremite %s --help'", words->verb, name, words->verb);
	return words->argv[++words->at];
}

/* The entry of an option of `eremite run`, or NULL. */
static const struct argp_option *entry_of(const char *word)
{
	const struct argp_option *entry = option_list;
	size_t bytes = strcspn(word, "=");
	for (; entry->name || entry->key; entry++)
		if (word[1] == '-' ? entry->name && strlen(entry->name) == bytes - 2 &&
		                             !strncmp(word + 2, entry->name, bytes - 2)
		                   : entry->key == word[1])
			return entry;
	return NULL;
}

void option_words_take(struct option_words *words, char ***to, int *count)
{
	char *word = words->argv[words->at];
	const struct argp_option *entry = entry_of(word);
	option_words_append(to, count, word);
	bool has_value = word[1] == '-' ? strchr(word, '=') != NULL : word[2] != 0;
	if (entry && entry->arg && !(entry->flags & OPTION_ARG_OPTIONAL) && !has_value && words->at + 1 < words->argc)
		option_words_append(to, count, words->argv[++words->at]);
}
