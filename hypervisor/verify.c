/* SPDX-License-Identifier: MIT */
/* --verify. The second run's output goes nowhere, so that the user sees one run. */
#include "verify.h"

#include <stdio.h>
#include <string.h>

static void differ(struct run_result *result, const char *what)
{
	result->end = RUN_DIFFER;
	snprintf(result->message, sizeof(result->message), "two runs of the same inputs differ: %s", what);
}

void verify_run(const struct run_config *config, const struct engine_ops *ops, struct run_result *result)
{
	static struct run_result second;
	struct run_config again = *config;
	run_image(config, ops, result);
	if (result->end == RUN_ERROR || result->end == RUN_TIMEOUT)
		return;
	again.discard_output = true;
	again.out_dir = NULL;
	again.report = NULL;
	run_image(&again, ops, &second);
	if (second.end == RUN_ERROR) {
		*result = second;
		return;
	}
	if (second.end != result->end || second.status != result->status)
		differ(result, "how they end");
	else if (memcmp(second.stats.chain, result->stats.chain, sizeof(second.stats.chain)))
		differ(result, "the kernel calls and their results");
	else if (memcmp(second.digest.streams, result->digest.streams, sizeof(second.digest.streams)))
		differ(result, "what they print");
	else if (memcmp(second.digest.out, result->digest.out, DIGEST_BYTES))
		differ(result, "what they leave in /out");
	else if (memcmp(second.digest.memory, result->digest.memory, DIGEST_BYTES))
		differ(result, "the guest's memory at the end");
	else if (memcmp(second.digest.all, result->digest.all, DIGEST_BYTES))
		differ(result, "the virtual clock");
}
