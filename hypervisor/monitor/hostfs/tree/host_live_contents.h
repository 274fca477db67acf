/* SPDX-License-Identifier: MIT */
/* Contents of files of the live host. */
#ifndef HYPERVISOR_HOST_LIVE_CONTENTS_H
#define HYPERVISOR_HOST_LIVE_CONTENTS_H

#include "hostfs/tree/host_source.h"

/** As host_tree_ops.open_contents. */
int host_live_contents_open(struct host_files *files, uint32_t handle, struct host_source *source,
                            struct host_stamp *stamp);

/** As host_source_ops.report. */
int64_t host_live_contents_report(struct host_files *files, uint32_t handle, const struct host_source *source,
                                  int error);

#endif
