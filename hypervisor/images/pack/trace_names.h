/* SPDX-License-Identifier: MIT */
/* Makes the table of names of a run: all that the guest has learned of the host's files. */
#ifndef HYPERVISOR_TRACE_NAMES_H
#define HYPERVISOR_TRACE_NAMES_H

#include "base/error.h"
#include "hostfs/host_files.h"

struct trace_given;

/**
 * Writes the table for a run that has ended, with what given->includes adds, to a file. Returns 0, or a negative errno
 * with one line in *error.
 */
int trace_names_write(int fd, struct host_files *files, const struct trace_given *given, struct error *error);

#endif
