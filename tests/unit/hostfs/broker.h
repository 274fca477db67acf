/* SPDX-License-Identifier: MIT */
/* The monitor's broker of the host's files in the process of a test, as a doorbell. */
#ifndef TESTS_UNIT_HOSTFS_BROKER_H
#define TESTS_UNIT_HOSTFS_BROKER_H

#include <stdint.h>

/** Shows a directory or file of the host as the next root. */
void broker_add(const char *host);

/** Opens all that were added: a run begins. */
void broker_begin(void);

/** Requests since the run began. */
extern unsigned broker_requests;

/** Why the run could not go on, or an empty line. */
const char *broker_error(void);

/** As openat2(2) finds a path below a directory that is taken for the root: mode and size, or a negative errno. */
int64_t broker_oracle(int root, const char *path, int follow, uint32_t *mode, uint64_t *size);

#endif
