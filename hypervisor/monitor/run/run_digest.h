/* SPDX-License-Identifier: MIT */
/* The run digest: one hash of all that a run did (docs/summary.md). */
#ifndef HYPERVISOR_RUN_DIGEST_H
#define HYPERVISOR_RUN_DIGEST_H

#include "run/run.h"
#include "run/streams/console.h"

/** Hashes the memory of a guest that has ended. */
void run_digest_memory(const struct guest_memory *memory, struct run_result *result);

/**
 * Computes the other hashes of a finished run in result->digest; that of /out is there already. Closes the console's
 * hashes.
 */
void run_digest_close(const struct run_config *config, struct console *console, struct run_result *result);

#endif
