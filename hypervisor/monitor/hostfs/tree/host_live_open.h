/* SPDX-License-Identifier: MIT */
/* Opens objects of the live host. An object is opened anew each time, beneath its tree. */
#ifndef HYPERVISOR_HOST_LIVE_OPEN_H
#define HYPERVISOR_HOST_LIVE_OPEN_H

#include "hostfs/host_files.h"

/**
 * Opens `name` in a directory that was looked up, or the object itself if `name` is empty, by its path below its tree.
 * Returns a descriptor, which the caller closes, and its stamp; or a negative errno.
 */
int host_live_open_path(const struct host_files *files, uint32_t handle, const char *name, int flags,
                        struct host_stamp *stamp);

/** Opens a known object, which must be unchanged, and takes its stamp. Returns a descriptor, which the caller closes,
 * or a negative errno. */
int host_live_open(struct host_files *files, uint32_t handle, int flags, struct host_stamp *stamp);

/** Takes a known directory that was read ahead, if it is what it was when it was looked up. `path` is its path below
 * its tree. Returns NULL if it was not read ahead; else host_place_set_scouted takes it. */
struct host_scout_item *host_live_open_scouted(const struct host_files *files, uint32_t handle,
                                               const struct host_tree *tree, const char *path);

#endif
