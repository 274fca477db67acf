/* SPDX-License-Identifier: MIT */
/* --redact: replaces matches in the command line that a recording keeps, and prints the messages. */
#ifndef HYPERVISOR_REDACT_OPTION_H
#define HYPERVISOR_REDACT_OPTION_H

#include <stdbool.h>

#include "record/recording.h"
#include "record/redact_queue.h"

/** Compiles the expressions. Returns NULL for no expression. Ends eremite if an expression is wrong. */
struct redact *redact_option_open(char **expressions, unsigned count);

/**
 * An input (--NAME=VALUE) or an argument as the recording keeps it: the same string, or a copy that lives as long as
 * the process. Values of --env and --argv0 and arguments are replaced. Ends eremite if a match is in something that a
 * replay needs: another option, the name of a variable, the program.
 */
char *redact_option_input(const struct redact *redact, char *input);
char *redact_option_argument(const struct redact *redact, char *argument, bool is_program);

/** Says how much was replaced, and warns of what no expression sees. */
void redact_option_say(const struct redact_counts *counts, bool says_counts);

/** Says, after a replay that differs, that the recording was redacted, if it was. */
void redact_option_say_used(const struct replay *replay);

#endif
