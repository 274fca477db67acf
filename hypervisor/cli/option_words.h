/* SPDX-License-Identifier: MIT */
/* Command lines of verbs that make runs: their own options are taken out, and all others are left to the parser of
 * `eremite run`. */
#ifndef HYPERVISOR_OPTION_WORDS_H
#define HYPERVISOR_OPTION_WORDS_H

/** Words of a command line that are taken one after the other. */
struct option_words {
	const char *verb; /**< for messages */
	const char *help; /**< its text of --help, which names the verb's own options */
	int argc, at;     /**< `at`: the next word */
	char **argv;
};

/** Appends a word to an array of malloc(3), which ends with NULL. Ends eremite without memory. */
void option_words_append(char ***array, int *count, char *text);

/** If the next word is the option `name` (--NAME, or a letter as -X), returns its value, which may be the word after
 * it. Leaves `at` at the last word of both. Returns NULL if the next word is another one; ends eremite if there is no
 * value. */
char *option_words_value(struct option_words *words, const char *name);

/** Appends the next word, an option of `eremite run`, with its value. Leaves `at` at the last word of both. Ends
 * eremite if `eremite run` has no such option, or not with such a value; names cannot be abbreviated. */
void option_words_take(struct option_words *words, char ***to, int *count);

#endif
