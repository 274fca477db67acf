/* SPDX-License-Identifier: MIT */
/* Looks up objects of the live host: operations of host_live_ops (host_tree_ops.h). */
#ifndef HYPERVISOR_HOST_LIVE_LOOK_H
#define HYPERVISOR_HOST_LIVE_LOOK_H

#include <limits.h>

#include "abi/host_file.h"
#include "hostfs/host_files.h"

/** As host_tree_ops.look. Without opening the object if its directory is files->place. */
int64_t host_live_look(struct host_files *files, uint32_t dir, const char *path, const char *name, bool listed,
                       struct host_file_attributes *attributes, char target[PATH_MAX]);

/** As host_tree_ops.search. */
int64_t host_live_look_search(struct host_files *files, uint32_t handle);

/** As host_tree_ops.enter. */
int host_live_look_enter(struct host_files *files, uint32_t handle, const char *path);

#endif
