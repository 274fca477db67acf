/* SPDX-License-Identifier: MIT */
/* The monitor's broker of the host's files in the process of a test, as a doorbell. */
#ifndef TESTS_UNIT_HOSTFS_BROKER_H
#define TESTS_UNIT_HOSTFS_BROKER_H

#include <stddef.h>
#include <stdint.h>

/** Shows a directory or file of the host as the next root. */
void broker_add(const char *host, const char *guest);

/** What a run asked for, and what the monitor knows at its end. */
struct broker_run {
	size_t bytes; /**< of the list */
	uint8_t list[1 << 20];
	unsigned requests; /**< by the doorbell */
	uint8_t sum[32];   /**< over the objects by handle, what there is none of, and what was read */
};

/** Expects what a run asked for, as host_ahead does. Before the run begins. */
void broker_expect(const struct broker_run *run);

/** Opens all that were added: a run begins. */
void broker_begin(void);

/** Where the kernel finds answers: boot_info.host_ahead. */
uint64_t broker_area(void);

/** The run ends. */
void broker_end(struct broker_run *run);

/** Requests since the run began. */
extern unsigned broker_requests;

/** Why the run could not go on, or an empty line. */
const char *broker_error(void);

/** As openat2(2) finds a path below a directory that is taken for the root: mode and size, or a negative errno. */
int64_t broker_oracle(int root, const char *path, int follow, uint32_t *mode, uint64_t *size);

#endif
