/* SPDX-License-Identifier: MIT */
/* Checks at the end of a run that the host's files are still as the program saw them. */
#ifndef HYPERVISOR_HOST_CHECK_H
#define HYPERVISOR_HOST_CHECK_H

#include "hostfs/host_files.h"

/**
 * Checks each file and symbolic link that the guest has looked up: its attributes, and the bytecode that gave it its
 * time, must be unchanged. host_notes_check checks contents. Returns 0, or a negative errno with a line in
 * files->error.
 */
int host_files_check(struct host_files *files);

#endif
