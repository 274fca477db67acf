/* SPDX-License-Identifier: MIT */
/* Shows the contents of host files to a guest as memory. */
#ifndef HYPERVISOR_HOST_SHOW_H
#define HYPERVISOR_HOST_SHOW_H

#include "hostfs/host_files.h"

/** Serves HOST_FILE_SHOW. Returns the answer; files->error says whether the run can go on. */
int64_t host_show(struct host_files *files, const struct host_file_request *request);

/** Waits for the checks of contents that the keeper makes beside the run. Returns 0, or a negative errno with a line in
 * files->error. */
int host_show_check(struct host_files *files);

/** Finds a file that is shorter than what was shown of it, after the guest has lost memory. Returns true with a line in
 * files->error, which names it. */
bool host_show_find_truncated(struct host_files *files);

#endif
