/* SPDX-License-Identifier: MIT */
/* The run digest: what a run did, in one sum (docs/summary.md). */
#ifndef HYPERVISOR_RUN_DIGEST_H
#define HYPERVISOR_RUN_DIGEST_H

#include "run/console.h"
#include "run/run.h"

/** Takes the sum of the memory of a guest that has ended. */
void run_digest_memory(const struct guest_memory *memory, struct run_result *result);

/** Takes the other sums of a run that is over, result->digest; that of /out is there already. Closes the console's. */
void run_digest_close(const struct run_config *config, struct console *console, struct run_result *result);

#endif
