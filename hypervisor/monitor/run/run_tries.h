/* SPDX-License-Identifier: MIT */
/* A guest that makes tries (abi/tries.h), and the process that wants them. */
#ifndef HYPERVISOR_RUN_TRIES_H
#define HYPERVISOR_RUN_TRIES_H

#include <stdint.h>

#include "base/error.h"

struct run;

/** The channel to the process that wants tries. Messages, in turn. To the process: uint64_t count, then count times
 * struct try_result, all their pairs, and for each entry of their plans a byte with its use; the first one has the
 * count 0 and says that the point of --from is reached. From it: uint64_t number of requests, uint64_t number of
 * counts, then the requests (struct try_request), the counts (tries_shared.counts) and the plans (tries_shared.plan).
 * The run ends when the process closes its end. */
struct tries_channel {
	int in, out;
};

/** Makes the area of tries, with all of standard input, at most TRIES_INPUT_MAX, and shows it to the guest. Returns 0,
 * or a negative errno with a line in *error. */
int run_tries_prepare(struct run *run, struct error *error);

/** Passes on the results of tries that have ended since the last doorbell, after a run that was stopped. */
void run_tries_finish(struct run *run);

/** Frees the area; accepts a run without one. */
void run_tries_fini(struct run *run);

#endif
