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

/** Reads exactly `bytes` bytes from an offset of an open file. Returns 0, -ENODATA if the file is shorter, or another
 * negative errno. */
int host_load_bytes(int fd, uint8_t *to, uint64_t bytes, uint64_t offset);

#endif
