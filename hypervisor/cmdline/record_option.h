/* SPDX-License-Identifier: MIT */
/* --record and --replay: a recording keeps the options that are inputs of the run, and a replay takes them from it. */
#ifndef HYPERVISOR_RECORD_OPTION_H
#define HYPERVISOR_RECORD_OPTION_H

#include "option/option_table.h"
#include "record/recording.h"
#include "session/session.h"

/** Notes an option of `eremite run` that was parsed, and its value or NULL. */
void record_option_note(struct record_given *given, const struct option_row *row, const char *text);

/**
 * The command line of a replay: the inputs of the recording, the other options of the caller, and the program. Ends
 * eremite if the caller has given an input, a program or arguments that differ from the recording's.
 */
char **record_option_replay(const struct replay *replay, const struct record_given *given, char **arguments,
                            unsigned argument_count, char *name, int *argc);

/**
 * The command line of --replay-net: the inputs of the recording that were not given, those that were, and the program
 * that was given or the recorded one. Ends eremite if the recording was not made by it.
 */
char **record_option_peers(const struct replay *replay, const struct record_given *given, char **arguments,
                           unsigned argument_count, char *name, int *argc);

/** What a file `from` has kept of a run. */
struct record_kept {
	const char *from;
	char **defaults; /**< values of inputs that were not given (option_defaults.h) */
	unsigned default_count;
	char **options; /**< inputs that were given, "--", the program and its arguments */
	unsigned option_count;
	bool has_recording; /**< the run had events from outside */
};

/** The same for what a file has kept. */
char **record_option_merge(const struct record_kept *kept, const struct record_given *given, char **arguments,
                           unsigned argument_count, char *name, int *argc);

/** Whether a run has an option because 0.9.0 kept it as `kept`, or not at all: NULL. Then its value in 0.9.0 holds. */
bool record_option_is_completed(const char *kept, const char *option);

/** Ends eremite if what the recording lacks is to go to the network, and another option contradicts. */
void record_option_check_miss(const struct session *options);

/** Checks --redact and --tls-keylog, and sets the variable of the latter. Ends eremite on an error. */
void record_option_check(struct session *options);

#endif
