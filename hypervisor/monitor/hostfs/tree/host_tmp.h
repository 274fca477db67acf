/* SPDX-License-Identifier: MIT */
/* Finds the host's files under /tmp that a Linux program sees: those that its command line names. */
#ifndef HYPERVISOR_HOST_TMP_H
#define HYPERVISOR_HOST_TMP_H

#include "hostfs/tree/binds.h"

/**
 * Adds the files that a command line names to binds->tmp: the program, the directories of its name and of its file, and
 * the working directory, which is absolute. Also each further argument that is an existing path, alone or after a `=`.
 * Symbolic links on the way are added with their targets. A directory, except /tmp itself, is added with everything
 * below it. Paths that --bind shows, or that the guest replaces with its own, are skipped. Returns 0 or -ENOMEM.
 */
int host_tmp_find(struct binds *binds, char *const *arguments, unsigned count, const char *workdir);

#endif
