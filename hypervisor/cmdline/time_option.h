/* SPDX-License-Identifier: MIT */
/* The options --epoch and --uptime: when a run starts, and how long its machine has been up by then. */
#ifndef HYPERVISOR_TIME_OPTION_H
#define HYPERVISOR_TIME_OPTION_H

#include "session/session.h"

/** Notes the time at which the command begins, which is that of --epoch=now in all its runs. */
void time_option_begin(void);

/** Sets the epoch from a time, or from `now` or `source-date`, which are whole seconds, so that the user can type them
 * again. Ends eremite if the text is neither, or if there is no source date. */
void time_option_epoch(struct session *options, const char *text);

/** Starts the clock at the first whole second after the command began, so that no file of the host is younger. */
void time_option_begin_after_files(struct session *options);

/** Sets the seconds since the boot. */
void time_option_uptime(struct run_config *run, const char *text);

/** Says the time that was taken from the host, so that the run can be repeated. */
void time_option_say(const struct session *options);

#endif
