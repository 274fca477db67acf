/* SPDX-License-Identifier: MIT */
/* A guest that makes tries (abi/tries.h), and the process that wants them. */
#ifndef HYPERVISOR_RUN_TRIES_H
#define HYPERVISOR_RUN_TRIES_H

#include <stdint.h>

struct run;

/** The channel to the process that wants tries: a count of 64 bits, then as many struct try_result to it, and back
 * a count, a number of counts, and as many struct try_request and counts (tries_shared.counts), in turn. The first
 * results are none, and say that the point of --from was reached. When it closes its end, the run ends. */
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
