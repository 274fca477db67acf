/* SPDX-License-Identifier: MIT */
/* Whether what a program was told of the host's files is true at the end of its run, too. */
#ifndef HYPERVISOR_HOST_CHECK_H
#define HYPERVISOR_HOST_CHECK_H

#include "hostfs/host_files.h"

/**
 * Looks again at each file and link that the guest has looked at: what it was told of them must be the same, and so
 * must what times were taken from. Contents are host_notes_check's. 0, or a negative errno with a line in files->error.
 */
int host_files_check(struct host_files *files);

#endif
