/* SPDX-License-Identifier: MIT */
/* Words of a command line that belong elsewhere: to another verb of eremite, or to another program that records, traces
 * or contains programs. For each, this says what to type instead. */
#ifndef HYPERVISOR_OTHER_WORDS_H
#define HYPERVISOR_OTHER_WORDS_H

#include <stddef.h>

/** What to type in place of a verb that other programs have; NULL: no other program is known to have it. */
const char *other_words_verb(const char *word);

/** What to type in place of an option --NAME, of `length` bytes, that `verb` does not have; NULL if it is unknown. */
const char *other_words_option(const char *verb, const char *name, size_t length);

/** What to type in place of an option of one letter that `verb` does not have; NULL if it is unknown. */
const char *other_words_letter(const char *verb, char letter);

#endif
