/* SPDX-License-Identifier: MIT */
/* The files of a recording that a run makes, or adds to. */
#ifndef HYPERVISOR_RECORD_FILES_H
#define HYPERVISOR_RECORD_FILES_H

#include "session/session.h"

/** Makes the recording of --record. Ends eremite if it cannot. */
struct recording *record_files_create(const struct session *session);

/** Locks the recording before it is read, and makes the one that will replace it. End eremite if they cannot. */
void record_files_lock(struct record_grown *grown, const char *dir);
struct recording *record_files_grow(const struct session *session, struct record_grown *grown);

#endif
