/* SPDX-License-Identifier: MIT */
/* The values of inputs that nobody gave. Images and recordings keep them beside the given ones, so that eremite can
 * change a default and repeats old runs all the same. */
#ifndef HYPERVISOR_OPTION_DEFAULTS_H
#define HYPERVISOR_OPTION_DEFAULTS_H

#include <stdbool.h>

#include "session/session_given.h"

struct session;

/** Adds to `to`, as options, the values of inputs that were not given. The image and the processor are chosen. */
void option_defaults_list(const struct session *session, struct record_given *to);

/** Adds what given options leave out to their notes in session->given: parameters of --sched, the time of
 * --file-times=content, the seed of --net-fault. */
void option_defaults_complete(struct session *session);

/** Whether a default that was kept, as --NAME=VALUE, gives way to what was given. */
bool option_defaults_gives_way(const struct record_given *given, const char *kept);

/** Whether a default may be in an image or in a recording, which anyone can have made. */
bool option_defaults_takes(const char *kept);

/** Writes the epoch, which must be a whole second; nothing if it cannot be written. */
void option_defaults_epoch(const struct session *session, char text[32]);

#endif
