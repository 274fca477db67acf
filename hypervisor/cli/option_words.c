/* SPDX-License-Identifier: MIT */
#include "cli/option_words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "cli/option_names.h"

#define OWN_MAX 64U

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

/* The row of an option of `eremite run`, or NULL. */
static const struct option_row *row_of(const char *word)
{
	const struct option_row *row = option_table_run;
	if (word[1] == '-')
		return option_table_find(row, word + 2, strcspn(word + 2, "="));
	while (row->name && row->letter != word[1])
		row++;
	return row->name ? row : NULL;
}

/* The names of options in a text of --help: each is the first word with -- in a line that begins with two to six
 * blanks. */
static const char *const *own_names(const char *help)
{
	static const char *names[OWN_MAX + 1];
	unsigned count = 0;
	for (const char *line = names[0] ? NULL : help; line && count < OWN_MAX; line = strchr(line, '\n')) {
		line += *line == '\n';
		const size_t blanks = strspn(line, " ");
		const char *name = line[blanks] == '-' ? strstr(line, "--") : NULL;
		if (name && blanks >= 2 && blanks <= 6 &&
		    !(names[count++] = strndup(name + 2, strcspn(name + 2, "=[ "))))
			die("out of memory");
	}
	return names;
}

void option_words_take(struct option_words *words, char ***to, int *count)
{
	char *word = words->argv[words->at];
	const struct option_row *row = row_of(word);
	const struct option_verb verb = {words->verb, own_names(words->help), false, false};
	const bool has_value = word[1] == '-' ? strchr(word, '=') != NULL : word[2] != 0;
	const bool takes_next = row && row->argument && !(row->traits & OPTION_VALUE_OPTIONAL) && !has_value &&
	                        words->at + 1 < words->argc;
	char *line[] = {word, word, takes_next ? words->argv[words->at + 1] : NULL};
	option_names_check(&verb, option_table_run, takes_next ? 3 : 2, line);
	option_words_append(to, count, word);
	if (takes_next)
		option_words_append(to, count, words->argv[++words->at]);
}
