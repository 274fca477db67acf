/* SPDX-License-Identifier: MIT */
/* --events-out and --events: the list of a run's events, with which a run on another host is compared. */
#ifndef HYPERVISOR_EVENTS_H
#define HYPERVISOR_EVENTS_H

#include "session/session.h"
#include "session/verify.h"

/** Reads the list of --events. Ends eremite if the file is no such list. The caller frees events->events. */
void events_read(const char *path, struct verify_sealed *events);

/** Runs the program as run_image does, and writes its events to a file. */
void events_run(const struct session *session, FILE *to, struct run_result *result);

#endif
