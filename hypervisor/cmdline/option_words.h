/* SPDX-License-Identifier: MIT */
/* Command lines of verbs that make runs: their own options are taken out, and all others are left to the parser of
 * `eremite run`. */
#ifndef HYPERVISOR_OPTION_WORDS_H
#define HYPERVISOR_OPTION_WORDS_H

#include "option/option_table.h"

/** Words of a command line that are taken one after the other. */
struct option_words {
	const char *verb;              /**< for messages */
	const struct option_row *rows; /**< the verb's own options */
	const char *before, *after;    /**< text of --help around them */
	int argc, at;                  /**< `at`: the next word */
	char **argv;
};

/** Appends a word to an array of malloc(3), which ends with NULL. Ends eremite without memory. */
void option_words_append(char ***array, int *count, char *text);

/** If the next word is one of the verb's own options, returns its row, and its value, which may be the word after it,
 * in *value; NULL: it has none. Leaves `at` at the last word of both. Returns NULL if the next word is another one.
 * Ends eremite if there is no value, and after --help. */
const struct option_row *option_words_own(struct option_words *words, char **value);

/** Returns the row of `eremite run` for the next word, --NAME or --NAME=VALUE, or NULL. */
const struct option_row *option_words_run_row(const struct option_words *words);

/** If the next word is --NAME or --NAME=VALUE, returns the value, which may be the word after it. Leaves `at` at the
 * last word of both. Returns NULL if the next word is another one; ends eremite if there is no value. */
char *option_words_value(struct option_words *words, const char *name);

/** Appends the next word, an option of `eremite run`, with its value. Leaves `at` at the last word of both. Ends
 * eremite if `eremite run` has no such option, or not with such a value; names cannot be abbreviated. */
void option_words_take(struct option_words *words, char ***to, int *count);

#endif
