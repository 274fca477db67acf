/* SPDX-License-Identifier: MIT */
/* --bind: which of the host's files are shown, and where. */
#ifndef HYPERVISOR_BINDS_H
#define HYPERVISOR_BINDS_H

#include <stdbool.h>

#include "hostfs/host_files.h"
#include "hostfs/host_part.h"

/** Trees that are shown without --bind: the whole host, and the part of its /tmp that the command line names. */
#define BINDS_FIRST 2
#define BINDS_MAX (BOOT_HOST_ROOTS_MAX - BINDS_FIRST)

/** Zero-initialised: none. */
struct binds {
	struct host_tree trees[BOOT_HOST_ROOTS_MAX]; /**< those of --bind begin at BINDS_FIRST */
	unsigned count;                              /**< of these */
	struct host_part tmp;                        /**< what is shown of the host's /tmp without them */
};

/** Adds HOST:GUEST[:ro]. 0, or a negative errno with one line in error[]. What it allocates lives with the process. */
int binds_add(struct binds *binds, const char *text, char error[256]);

/**
 * Opens all, behind the whole of the host at / if that is wanted, and what is in binds->tmp at /tmp. 0, or a negative
 * errno with one line in error[].
 */
int binds_open(struct binds *binds, bool whole, struct host_files *files, char error[256]);

/**
 * Where a program starts that sees the whole host, unless somebody says where: the current directory, or NULL when that
 * is in a place where the guest has something of its own.
 */
const char *binds_current_directory(void);

/** Whether a path of the guest's leads to something else than that path of the host's: to a tree of --bind, or to what
 * the guest has of its own. */
bool binds_hide(const struct binds *binds, const char *path);

/** Whether a path is absolute, and has no empty component, no . and no .. in it. */
bool binds_is_guest_path(const char *path);

#endif
