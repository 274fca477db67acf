/* SPDX-License-Identifier: MIT */
/* Why a run cannot go on with the host's files: in files->error, of which the first reason stays. */
#ifndef HYPERVISOR_HOST_STOP_H
#define HYPERVISOR_HOST_STOP_H

#include "hostfs/host_files.h"

/** Each returns the negative errno that the guest is told: here -reason. */
int64_t host_stop(struct host_files *files, int reason, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/**
 * What became of asking the host for an object, or for a name in it, when the guest may be told of that: a result, or
 * an error of the object's own. Others, as too few descriptors, are of this moment alone.
 */
int64_t host_stop_unless_told(struct host_files *files, uint32_t handle, const char *name, int64_t result);

/** There is no memory for what has to be remembered. */
int64_t host_stop_without_memory(struct host_files *files);

/** The guest's request is none. */
int64_t host_stop_at_nonsense(struct host_files *files, const char *what);

/** An object, or a name in it, is not what it was. */
int64_t host_stop_at_change(struct host_files *files, uint32_t handle, const char *name);

/** A name has something now of which there was nothing. */
int64_t host_stop_at_appearance(struct host_files *files, uint32_t handle, const char *name);

/** An object, or a name in it, by its path in the guest, for messages; until the next call. */
const char *host_stop_describe(const struct host_files *files, uint32_t handle, const char *name);

#endif
