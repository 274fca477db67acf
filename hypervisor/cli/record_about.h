/* SPDX-License-Identifier: MIT */
/* What a recording says of the run that it is of: defaults, versions, and the build of the kernel. */
#ifndef HYPERVISOR_RECORD_ABOUT_H
#define HYPERVISOR_RECORD_ABOUT_H

#include "cli/options.h"

/** Adds it to a new recording. Ends eremite if the kernel cannot be read. */
void record_about_write(const struct options *options, const struct redact *redact, struct recording *recording);

/** Ends eremite if a recording that is to be replayed was made with another kernel, or if its digest
 * has a definition that this eremite does not know. */
void record_about_check(const struct options *options);

#endif
