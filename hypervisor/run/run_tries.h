/* SPDX-License-Identifier: MIT */
/* A guest that makes tries (abi/tries.h), and the process that wants them. */
#ifndef HYPERVISOR_RUN_TRIES_H
#define HYPERVISOR_RUN_TRIES_H

#include <stdint.h>

struct run;

/** The channel to the process that wants tries: a count of 64 bits, then as many struct try_result to it, and back
 * a count, a number of counts, and as many struct try_request and counts (tries_shared.counts), in turn. The first
 * message has the count 0: the guest has reached the point of --from. The run ends when the process closes its end. */
struct tries_channel {
	int in, out;
};

/** Makes the area of tries and shows it to the guest. Returns 0, or a negative errno with a line in error[]. */
int run_tries_prepare(struct run *run, char error[256]);

/** Passes on the results of tries that have ended since the last doorbell, after a run that was stopped. */
void run_tries_finish(struct run *run);

/** Frees the area; accepts a run without one. */
void run_tries_fini(struct run *run);

#endif
