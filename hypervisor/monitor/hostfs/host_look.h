/* SPDX-License-Identifier: MIT */
/* Looks up objects of the host for a guest, and remembers the answers. */
#ifndef HYPERVISOR_HOST_LOOK_H
#define HYPERVISOR_HOST_LOOK_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/host_file.h"
#include "guest/guest_memory.h"
#include "hostfs/host_files.h"

/** Serves HOST_FILE_LOOK. Returns the answer; files->error says whether the run can go on. */
int64_t host_look(struct host_files *files, const struct guest_memory *memory, struct host_file_request *request);

/** Serves HOST_FILE_SEARCH: whether the host permits looking up names in a directory. Returns 0, -EACCES or another
 * negative errno. */
int64_t host_look_search(struct host_files *files, uint32_t handle);

/** Looks up a name in a directory, or the object itself if the name is empty. Sets the attributes that the guest may
 * know, and the target of a link. Returns the object's handle, or a negative errno; files->error says whether the run
 * can go on. */
int64_t host_look_name(struct host_files *files, uint32_t dir, const char *name,
                       struct host_file_attributes *attributes, char target[PATH_MAX]);

/** Serves HOST_FILE_LOOK_MANY, and sets request->buffer_bytes to the size of the answer. Returns as host_look. */
int64_t host_look_many(struct host_files *files, const struct guest_memory *memory, struct host_file_request *request);

/** Makes a directory, which must be what it was, the place (host_files.place). Sets its path below its tree. Returns 0
 * or a negative errno. */
int host_look_enter(struct host_files *files, uint32_t handle, char path[PATH_MAX]);

/** Looks at a name that a directory listed; fast in the place. `path` is the directory's path below its tree. Sets the
 * attributes that the guest may know, and the target of a link. Returns the object's handle, or a negative errno. */
int64_t host_look_listed(struct host_files *files, uint32_t dir, const char *path, const char *name,
                         struct host_file_attributes *attributes, char target[PATH_MAX]);

/** Sets the attributes that follow from a stamp. */
void host_look_tell(const struct host_files *files, const struct host_stamp *stamp,
                    struct host_file_attributes *attributes);

/** Adds an object that was looked up for the first time. Finds the bytecode that gives it its time. `target` is a
 * link's. Returns its handle, or a negative errno with a line in files->error. */
int64_t host_look_remember(struct host_files *files, uint32_t dir, const char *name, const struct host_stamp *stamp,
                           struct host_file_attributes *attributes, const char *target);

/** Returns the handle of a known object that has been looked up again, and sets its time. */
int64_t host_look_know(const struct host_files *files, uint32_t handle, const struct host_stamp *stamp,
                       struct host_file_attributes *attributes);

/** Remembers that the guest was told that a directory has no such name. Returns -ENOENT, or another negative errno
 * with a line in files->error. */
int64_t host_look_remember_absent(struct host_files *files, uint32_t dir, const char *name);

/** Returns the stamp that a known object had when it was first looked up. */
const struct host_stamp *host_look_stamp(const struct host_files *files, uint32_t handle);

/** Whether the guest was told that a directory has no such name. */
bool host_look_is_absent(const struct host_files *files, uint32_t dir, const char *name);

#endif
