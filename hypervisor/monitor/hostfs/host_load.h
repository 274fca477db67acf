/* SPDX-License-Identifier: MIT */
/* Reads contents of the host's files into a guest's memory. */
#ifndef HYPERVISOR_HOST_LOAD_H
#define HYPERVISOR_HOST_LOAD_H

#include "abi/host_file.h"
#include "guest/guest_memory.h"
#include "hostfs/host_files.h"

/** Serves HOST_FILE_LOAD, and remembers what was read. Returns the answer; files->error says whether the run can go on.
 */
int64_t host_load(struct host_files *files, const struct guest_memory *memory, const struct host_file_request *request);

#endif
