/* SPDX-License-Identifier: MIT */
/* Rows of the table of options as argp(3) takes them. */
#ifndef HYPERVISOR_OPTION_ARGP_H
#define HYPERVISOR_OPTION_ARGP_H

#include <argp.h>

#include "option/option_table.h"

/** -h as a child of a verb's parser. argp itself has -? and --help. */
extern const struct argp_child option_argp_help[];

/** Returns the rows as a list for argp. It is valid until the next call. */
const struct argp_option *option_argp_list(const struct option_row *rows);

/** Returns the row to which a key that argp found belongs, or NULL. */
const struct option_row *option_argp_row(const struct option_row *rows, int key);

#endif
