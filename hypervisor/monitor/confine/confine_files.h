/* SPDX-License-Identifier: MIT */
/* Restricts the files that a confined process can open or change, by Landlock (landlock(7)) if the host's kernel has
 * it. */
#ifndef HYPERVISOR_CONFINE_FILES_H
#define HYPERVISOR_CONFINE_FILES_H

#include "confine/confine.h"

/** The Landlock version that supports all restrictions made here. */
#define CONFINE_FILES_COMPLETE 6

/** Returns the kernel's Landlock version; 0: it has none, and errno says why. */
int confine_files_version(void);

/**
 * Restricts the calling thread, and threads that it starts, to the places of the plan. As far as the kernel's Landlock
 * version supports it, also denies TCP, abstract Unix sockets, and signals to processes outside. Returns 0, also
 * without Landlock, or a negative errno.
 */
int confine_files(const struct confine_plan *plan);

#endif
