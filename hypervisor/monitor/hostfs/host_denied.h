/* SPDX-License-Identifier: MIT */
/* Files that the user who runs eremite may not read or look up. They are inputs of the run: another user may have them.
 */
#ifndef HYPERVISOR_HOST_DENIED_H
#define HYPERVISOR_HOST_DENIED_H

#include "hostfs/host_files.h"

/**
 * Notes that the program got -EACCES for an object, or for a name in it. Other answers are not noted. With
 * files->strict, stops the run. In an image, the user who made it was denied the object. An answer ahead is not noted:
 * it sets files->is_denied, and the guest must ask again. Returns `answer`.
 */
int64_t host_denied_note(struct host_files *files, uint32_t handle, const char *name, int64_t answer);

#endif
