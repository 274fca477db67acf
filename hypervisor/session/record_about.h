/* SPDX-License-Identifier: MIT */
/* What a recording says of the run that it is of: defaults, versions, and the kernel. */
#ifndef HYPERVISOR_RECORD_ABOUT_H
#define HYPERVISOR_RECORD_ABOUT_H

#include "record/recording.h"
#include "record/redact_queue.h"
#include "session/session.h"

/** Adds it to a new recording. Ends eremite if the kernel cannot be read. */
void record_about_write(const struct session *session, const struct redact *redact, struct recording *recording);

/** Ends eremite if a recording needs a later version of the contract. */
void record_about_check_contract(const struct replay *replay);

/** Has a recording that is to be replayed run with the kernel that it was made with, which may be another one than
 * eremite's. Ends eremite if it lacks that kernel, or if its digest has a definition that this eremite does not know.
 */
void record_about_check(struct session *session);

#endif
