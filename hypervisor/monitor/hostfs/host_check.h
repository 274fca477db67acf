/* SPDX-License-Identifier: MIT */
/* Checks at the end of a run that the host's files are still as the program saw them. */
#ifndef HYPERVISOR_HOST_CHECK_H
#define HYPERVISOR_HOST_CHECK_H

#include "hostfs/host_files.h"

/**
 * Checks each object that the guest has used: its attributes, and the bytecode that gave it its time, must be
 * unchanged. An object that came with a list, or with another object, and was not used since may have changed.
 * host_notes_check checks contents. Returns 0, or a negative errno with a line in files->error.
 */
int host_files_check(struct host_files *files);

#endif
