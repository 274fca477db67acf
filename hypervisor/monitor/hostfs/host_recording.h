/* SPDX-License-Identifier: MIT */
/* Recordings of eremite among the host's files. Programs do not see them, so that a recording in a directory that a
 * program lists does not break the replay of another one. */
#ifndef HYPERVISOR_HOST_RECORDING_H
#define HYPERVISOR_HOST_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "hostfs/host_files.h"

/**
 * Whether a directory of the host, `name` in the directory `handle`, holds a recording, finished or not, and nothing
 * else, and is neither the program's working directory nor above it. It is found as `at` in the open directory `fd`, or
 * by its path if that is -1. Costs one system call for a directory without an input.log.
 */
bool host_recording_is(const struct host_files *files, uint32_t handle, const char *name, int fd, const char *at);

#endif
