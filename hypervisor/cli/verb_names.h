/* SPDX-License-Identifier: MIT */
/* The names of the options that each verb has, from what its --help is made of. */
#ifndef HYPERVISOR_VERB_NAMES_H
#define HYPERVISOR_VERB_NAMES_H

#include <argp.h>
#include <stddef.h>

/** Texts of --help and lists of options, beside the verbs that have them. */
extern const char analyze_option_help[], pack_option_help[], search_option_help[];
extern const struct argp_option cmd_diff_options[], cmd_info_options[], cmd_provenance_options[], cmd_sign_options[],
	verify_option_list[];

/** The first verb with an option of that name; NULL: no verb has it. */
const char *verb_names_owner(const char *name, size_t length);

#endif
