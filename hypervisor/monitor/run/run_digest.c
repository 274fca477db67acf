/* SPDX-License-Identifier: MIT */
/* The run digest: a hash over the other hashes and the way the run ended. */
#include "run/run_digest.h"

#include <string.h>

#include "abi/layout.h"
#include "guest/digest_memory.h"

void run_digest_memory(const struct guest_memory *memory, struct run_result *result)
{
	const struct run_stats *stats = &result->stats;
	digest_memory(memory, LAYOUT_IMAGE, stats->page_tables_low, stats->page_tables_high, result->digest.memory);
}

void run_digest_close(const struct run_config *config, struct console *console, struct run_result *result)
{
	struct run_digest *digest = &result->digest;
	const struct run_stats *stats = &result->stats;
	struct digest_sum sum;
	struct digest_run all = {.chain = {stats->chain[0], stats->chain[1]},
	                         .events = stats->events,
	                         .virtual_ns = stats->virtual_ns,
	                         .end = result->end,
	                         .status = (uint64_t)result->status};
	for (int stream = 1; stream <= 2; stream++)
		digest_end(&console->sums[stream], digest->streams[stream]);
	memcpy(all.streams, digest->streams[1], sizeof(all.streams));
	memcpy(all.out, digest->out, DIGEST_BYTES);
	digest_begin(&sum);
	digest_add(&sum, &all, offsetof(struct digest_run, files));
	if (config->host_files) {
		host_notes_digest(&config->host_files->notes, config->host_files->run, digest->files);
		digest_add(&sum, digest->files, DIGEST_BYTES);
	}
	digest_add(&sum, digest->memory, DIGEST_BYTES);
	digest_end(&sum, digest->all);
}
