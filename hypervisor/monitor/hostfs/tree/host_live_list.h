/* SPDX-License-Identifier: MIT */
/* Lists directories of the live host: operations of host_live_ops (host_tree_ops.h). */
#ifndef HYPERVISOR_HOST_LIVE_LIST_H
#define HYPERVISOR_HOST_LIVE_LIST_H

#include "hostfs/host_files.h"
#include "hostfs/tree/host_tree_ops.h"

/** As host_tree_ops.list_open. */
int64_t host_live_list_open(struct host_files *files, uint32_t handle, const char *path, struct host_stamp *stamp);

/** As host_tree_ops.list. */
int64_t host_live_list(struct host_files *files, uint32_t handle, host_tree_name *each);

#endif
