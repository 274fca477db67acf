/* SPDX-License-Identifier: MIT */
/* Files that an image has to contain although the run has not read them (--include). */
#ifndef HYPERVISOR_TRACE_INCLUDES_H
#define HYPERVISOR_TRACE_INCLUDES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "hostfs/host_files.h"

/** Zero-initialised: none. */
struct trace_includes {
	bool *included; /**< for each handle */
	size_t room;
};

/**
 * Looks up paths in the guest, absolute or relative to the root, with the objects that their links lead to and all that
 * is below them. Returns 0, or a negative errno with one line in *error.
 */
int trace_includes_look(struct trace_includes *includes, struct host_files *files, char *const *paths, unsigned count,
                        struct error *error);

/** Looks up one path without including anything, so that the image knows what is on the way. Returns 0 or a negative
 * errno. */
int trace_includes_only_look(struct host_files *files, const char *path);

/** Whether an object is to be included. */
bool trace_includes_has(const struct trace_includes *includes, uint32_t handle);

/** Frees everything. */
void trace_includes_fini(struct trace_includes *includes);

#endif
