/* SPDX-License-Identifier: MIT */
/* What a failing try has written, as far as it says what failed: the reports of test runners, sanitizers, panics,
 * exceptions and assertions, else the last lines. The text is the program's: nothing in it is believed. */
#ifndef HYPERVISOR_SEARCH_SAID_H
#define HYPERVISOR_SEARCH_SAID_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

/** Most bytes of each stream that are looked at. */
#define SEARCH_SAID_MAX (1L << 20)

/** What a try has written, each with a NUL behind; [0] standard output, [1] standard error. */
struct search_text {
	char *text[2];
	size_t bytes[2];
};

struct search_said {
	char *lines; /**< some lines, each with the stream's name; may be empty */
	char *key;   /**< tells failures apart: the names of failed tests, or the assertion; without numbers that differ
	              * from   run to run. Empty: nothing was recognised */
};

/** Finds what failed. `by`: the regular expression of --fail-by, whose matches are the key, or NULL. The caller calls
 * search_said_fini. */
void search_said_find(struct search_said *said, const struct search_text *text, const regex_t *by);

/** Takes the failed tests of a JUnit file (search_junit.h) in the place of what was found. Of a file that cannot be
 * read, only the reason is added. */
void search_said_report(struct search_said *said, const char *file, size_t bytes);

/** Returns some lines that a failing try has written and a passing one has not, apart from numbers in them; the caller
 * frees them. */
char *search_said_differs(const struct search_text *failing, const struct search_text *passing);

/** Replaces NULs, which would end a text. */
void search_text_clean(struct search_text *text);

/** Free what they own; accept all-zero structures. */
void search_said_fini(struct search_said *said);
void search_text_fini(struct search_text *text);

#endif
