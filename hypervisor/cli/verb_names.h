/* SPDX-License-Identifier: MIT */
/* The names of the options that each verb has, from what its --help is made of. */
#ifndef HYPERVISOR_VERB_NAMES_H
#define HYPERVISOR_VERB_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/** Texts of --help, beside the verbs that have them. */
extern const char analyze_option_help[], pack_option_help[], search_option_help[];

/** Whether a text of --help has the option --NAME of `length` bytes: as the first word with -- in a line that begins
 * with two to six blanks. */
bool verb_names_has(const char *help, const char *name, size_t length);

/** The first verb with an option of that name; NULL: no verb has it. */
const char *verb_names_owner(const char *name, size_t length);

#endif
