/* SPDX-License-Identifier: MIT */
/* --verify: runs the program twice and finds the first difference. `eremite verify`: finds where a run first differs
 * from the one that an image was made of. */
#ifndef HYPERVISOR_VERIFY_H
#define HYPERVISOR_VERIFY_H

#include "run/run.h"

/**
 * Runs the program as run_image does, then a second time without output, and compares the runs. If they differ,
 * result->end is RUN_DIFFER and result->message names the difference; otherwise the result is the first run's.
 */
void verify_run(const struct run_config *config, const struct engine_ops *ops, struct run_result *result);

/** The events of a run that was sealed, or made on another host. */
struct verify_sealed {
	const void *events; /**< as event_log_write writes them; may be hostile */
	size_t bytes;
	const char *path; /**< of the file of --events; NULL: they are in an image */
	bool is_steady;   /**< two runs on this host did the same, and it was not what the sealed run did */
};

/**
 * Runs the program without output and compares its events with those of a sealed run. If they differ, result->end is
 * RUN_DIFFER and result->message names the first difference, of which config->observer.fault shows the stacks.
 */
void verify_sealed_run(const struct run_config *config, const struct engine_ops *ops,
                       const struct verify_sealed *sealed, struct run_result *result);

#endif
