/* SPDX-License-Identifier: MIT */
/* Which of the host's files under /tmp a Linux program sees: those that its command line names. */
#ifndef HYPERVISOR_HOST_TMP_H
#define HYPERVISOR_HOST_TMP_H

#include "hostfs/binds.h"

/**
 * Adds to binds->tmp what a command line names: the program, the directory that its name is in and the one that its
 * file is in, the working directory, which is absolute, and each further argument that is an existing path, alone or
 * behind a `=`. Links on the way are added, and where they lead. A directory is added with all that is below it, but
 * for /tmp itself. What --bind shows, or the guest has of its own, is passed over. 0 or -ENOMEM.
 */
int host_tmp_find(struct binds *binds, char *const *arguments, unsigned count, const char *workdir);

#endif
