/* SPDX-License-Identifier: MIT */
/* The options --epoch and --uptime: when a run starts, and how long its machine has been up by then. */
#ifndef HYPERVISOR_TIME_OPTION_H
#define HYPERVISOR_TIME_OPTION_H

#include "cli/options.h"

/** Sets the epoch from a time or `now`, which is a whole second, so that the user can type it again. */
void time_option_epoch(struct options *options, const char *text);

/** Sets the seconds since the boot. */
void time_option_uptime(struct run_config *run, const char *text);

/** Writes the epoch, which must be a whole second; nothing if it cannot be written. */
void time_option_text(const struct options *options, char text[32]);

/** Says the time of --epoch=now, so that the run can be repeated. */
void time_option_say(const struct options *options);

#endif
