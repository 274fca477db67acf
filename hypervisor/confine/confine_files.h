/* SPDX-License-Identifier: MIT */
/* Which files a confined process can open or change: Landlock (landlock(7)), where the host's kernel has it. */
#ifndef HYPERVISOR_CONFINE_FILES_H
#define HYPERVISOR_CONFINE_FILES_H

#include "confine/confine.h"

/** The version that handles all that is confined here. */
#define CONFINE_FILES_COMPLETE 6

/** The kernel's version of Landlock; 0: it has none, and errno says why. */
int confine_files_version(void);

/**
 * Restricts the calling thread, and those that it starts, to the places of the plan. They may then use no network by
 * TCP, no abstract Unix socket and no signal to processes outside, as far as the kernel's version of Landlock has that.
 * 0, also where there is no Landlock, or a negative errno.
 */
int confine_files(const struct confine_plan *plan);

#endif
