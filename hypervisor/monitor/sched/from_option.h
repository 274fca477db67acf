/* SPDX-License-Identifier: MIT */
/* --from: the point of a run at which its policy starts. */
#ifndef HYPERVISOR_FROM_OPTION_H
#define HYPERVISOR_FROM_OPTION_H

#include "abi/sched_settings.h"
#include "base/error.h"

/** Room for "marker:NAME" or "call:N". */
#define FROM_TEXT (SCHED_MARKER_BYTES + 24)

/** Parses start, main, call:N or marker:NAME. Returns 0, or -EINVAL with the rest of a line after "--from ". */
int from_option_parse(const char *text, struct sched_from *from, struct error *error);

/** Writes a point as --from takes it. */
void from_option_describe(const struct sched_from *from, char text[FROM_TEXT]);

#endif
