/* SPDX-License-Identifier: MIT */
/* --record and --replay: a recording keeps the options that are inputs of the run, and a replay takes them from it. */
#ifndef HYPERVISOR_RECORD_OPTION_H
#define HYPERVISOR_RECORD_OPTION_H

#include <argp.h>

#include "base/save.h"
#include "record/recording.h"

#define RECORD_OPTION_KEYLOG "tls-keylog" /* in /out: what --tls-keylog has programs write */

struct options;

/** The options that were given: inputs of the run and others, each as --NAME=VALUE. */
struct record_given {
	char **inputs, **others;
	unsigned input_count, other_count;
};

/** Notes an option that was parsed, if it is one of the list. */
void record_option_note(struct record_given *given, const struct argp_option *list, int key, const char *text);

/** Adds an input that was not given, but drawn or chosen. */
void record_option_add(struct record_given *given, const char *name, const char *value);

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
};

/** The same for what a file has kept. */
char **record_option_merge(const struct record_kept *kept, const struct record_given *given, char **arguments,
                           unsigned argument_count, char *name, int *argc);

/** Makes the recording of --record. Ends eremite if it cannot. */
struct recording *record_option_create(const struct options *options);

/** The files of a recording to which --replay-miss=record-new adds: they replace the old ones when the run has ended.
 */
struct record_grown {
	struct save log, capture;
	int lock; /**< descriptor of the directory: one run at a time adds to it; 0: not opened */
};

/** Ends eremite if what the recording lacks is to go to the network, and another option contradicts. */
void record_option_check_miss(const struct options *options);

/** Checks --redact and --tls-keylog, and sets the variable of the latter. Ends eremite on an error. */
void record_option_check(struct options *options);

/** Locks the recording before it is read, and makes the one that will replace it. End eremite if they cannot. */
void record_option_lock(struct record_grown *grown, const char *dir);
struct recording *record_option_grow(const struct options *options, struct record_grown *grown);

#endif
