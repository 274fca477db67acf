/* SPDX-License-Identifier: MIT */
/* The functions that take the options of `eremite run`: one for each row of option_table_run. */
#ifndef HYPERVISOR_RUN_TAKE_H
#define HYPERVISOR_RUN_TAKE_H

#include "option/option_table.h"
#include "session/session.h"

/** Sets what an option of option_table_run says. `text` is its value; NULL: none. Ends eremite if the value is wrong.
 */
void run_take(struct session *options, const struct option_row *row, char *text);

/** Ends eremite if an option is given that cannot go with the option `name` (RUN_CONFLICTS), which is given, too. */
void run_take_check(const struct session *options, const char *name);

#endif
