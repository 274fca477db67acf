/* SPDX-License-Identifier: MIT */
/* Contents of the files of an image: in it, or supplied by --data. */
#ifndef HYPERVISOR_HOST_SEALED_CONTENTS_H
#define HYPERVISOR_HOST_SEALED_CONTENTS_H

#include "hostfs/tree/host_source.h"

/** As host_tree_ops.open_contents. */
int host_sealed_contents_open(struct host_files *files, uint32_t handle, struct host_source *source,
                              struct host_stamp *stamp);

#endif
