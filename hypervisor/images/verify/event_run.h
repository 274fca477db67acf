/* SPDX-License-Identifier: MIT */
/* A run from an image that finds the first event that differs from those of the sealed run. */
#ifndef HYPERVISOR_EVENT_RUN_H
#define HYPERVISOR_EVENT_RUN_H

#include <stdbool.h>
#include <sys/stat.h>

/** Makes the run of a command line of `eremite run`, and says where it differs. `checked`: the image, whose hashes
 * another process checks. `is_steady`: as in struct verify_sealed. Returns the exit status. */
int event_run_make(int argc, char **argv, const struct stat *checked, bool is_steady);

#endif
