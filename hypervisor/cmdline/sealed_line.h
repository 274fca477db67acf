/* SPDX-License-Identifier: MIT */
/* The command line of a run from a sealed image. */
#ifndef HYPERVISOR_SEALED_LINE_H
#define HYPERVISOR_SEALED_LINE_H

#include "session/sealed_run.h"
#include "session/session_given.h"

/**
 * Without a name of a step, runs all steps of an image that has several, each in a child of its own, and ends this
 * process with the status of the last one, or of the first one that ended otherwise than the packed run. Returns, in
 * the children only, the name of a step. With a name, or an image of one step, returns that.
 */
const char *sealed_line_choose(struct sealed_run *sealed, const char *step, bool has_arguments);

/** Says that an argument behind the image looks like an option of eremite, which comes before it. */
void sealed_line_say_option(const char *path, char *const *arguments, unsigned count);

/**
 * Makes a command line of eremite run from the step `step` (NULL: the first one) and what was
 * given: options that were given replace the image's, and so do arguments. Ends eremite with a message on an error.
 */
char **sealed_line_make(struct sealed_run *sealed, const char *step, const struct record_given *given, char **arguments,
                        unsigned argument_count, char *name, int *argc);

#endif
