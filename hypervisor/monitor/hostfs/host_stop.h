/* SPDX-License-Identifier: MIT */
/* Reasons for which a run cannot go on with the host's files. The functions write them to files->error; the first
 * reason stays. */
#ifndef HYPERVISOR_HOST_STOP_H
#define HYPERVISOR_HOST_STOP_H

#include "hostfs/host_files.h"

/** Each function returns the negative errno for the guest: here -reason. */
int64_t host_stop(struct host_files *files, int reason, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/**
 * Returns `result` of a host call on an object, or on a name in it, if the guest may see it: a success, or an error
 * that belongs to the object. Other errors, such as too few descriptors, depend on the moment and stop the run.
 */
int64_t host_stop_unless_told(struct host_files *files, uint32_t handle, const char *name, int64_t result);

/** Stops the run: there is no memory to remember the objects. */
int64_t host_stop_without_memory(struct host_files *files);

/** Stops the run: the guest's request is malformed. */
int64_t host_stop_at_nonsense(struct host_files *files, const char *what);

/** Stops the run: an object, or a name in it, has changed. */
int64_t host_stop_at_change(struct host_files *files, uint32_t handle, const char *name);

/** Stops the run: a name that did not exist before exists now. */
int64_t host_stop_at_appearance(struct host_files *files, uint32_t handle, const char *name);

/** Returns the guest path of an object, or of a name in it, for messages; valid until the next call. */
const char *host_stop_describe(const struct host_files *files, uint32_t handle, const char *name);

#endif
