/* SPDX-License-Identifier: MIT */
/* Tries: one guest makes many runs of a program from one point on, each under another schedule (docs/search.md).
 *
 * The guest saves its state at the point of --from. For each request it restores that state, starts the policy, runs
 * the program to its end, and writes a result. Each try reads standard input from where the program was at the point.
 * When all requests are used up it rings DOORBELL_TRIES. */
#ifndef ABI_TRIES_H
#define ABI_TRIES_H

#include <stddef.h>
#include <stdint.h>

#include "abi/layout.h"
#include "abi/sched_plan.h"
#include "abi/sched_reads.h"
#include "abi/sched_settings.h"

/** Most requests between two doorbells. */
#define TRIES_BATCH 1024

/** Room for the pairs of a batch of results. */
#define TRIES_PAIRS (TRIES_BATCH * SCHED_PAIRS_LISTED)

/** Most counts of all requests between two doorbells. A try can have as many as sched_area.counts. */
#define TRIES_COUNTS 65536

/** Most entries of the plans of all requests between two doorbells. Batches have plans, for near, or list pairs. */
#define TRIES_PLANS 65536

/** Standard input of each try: the last part of the area. */
#define TRIES_INPUT_MAX 0x1000000UL
#define TRIES_INPUT (LAYOUT_TRIES_SIZE - TRIES_INPUT_MAX)

struct try_request {
	uint64_t number;    /**< the guest copies it into the result */
	uint64_t counts_at; /**< surw, pos: its first one in tries_shared.counts; near: in .plan */
	struct boot_sched sched;
};

/** How a try ended. All of it is the same as of a run of its own with --from and that schedule. */
struct try_result {
	uint64_t number;
	uint32_t end;             /**< enum end_reason: EXIT, SIGNAL or DEADLOCK */
	uint32_t status;          /**< exit status or signal number */
	uint64_t place;           /**< different if the end came elsewhere; one place may have several numbers */
	uint64_t output[2];       /**< tries_hash of all bytes written to standard output, and to standard error */
	uint64_t output_bytes[2]; /**< their number */
	uint64_t decisions, virtual_ns, events, chain[2]; /**< as in struct sched_shared and struct run_stats */
	/* With SCHED_FLAG_READS: */
	uint64_t signature; /**< as in struct sched_reads */
	uint64_t pairs;     /**< listed ones, in tries_shared.pair behind those of the results before */
};

/** The start of the area at LAYOUT_TRIES: the part that the monitor reads. The rest of the area is the guest's. */
struct tries_shared {
	uint64_t requests; /**< the monitor: number of valid requests; 0 while the guest has not begun */
	uint64_t results;  /**< the guest: number of valid results; both set it to 0 when the monitor has taken them */
	uint64_t input_bytes; /**< the monitor: bytes of standard input, at TRIES_INPUT */
	struct try_request request[TRIES_BATCH];
	struct try_result result[TRIES_BATCH];
	uint64_t counts[TRIES_COUNTS]; /**< surw, pos: those of all requests, one after the other */
	union {
		uint64_t pair[TRIES_PAIRS]; /**< the guest: those of all results, one after the other */
		/** near: the plans of all requests, one after the other, whose uses the guest sets */
		struct sched_plan plan[TRIES_PLANS];
	};
};

_Static_assert(sizeof(struct try_request) == 88, "try_request");
_Static_assert(sizeof(struct try_result) == 112, "try_result");
_Static_assert(sizeof(struct tries_shared) <= LAYOUT_TRIES_SHARED_SIZE, "tries_shared");

#define TRIES_HASH_START 0xcbf29ce484222325UL

/** FNV-1a over further bytes. */
static inline uint64_t tries_hash(uint64_t hash, const void *from, size_t bytes)
{
	for (const uint8_t *at = from; bytes; bytes--)
		hash = (hash ^ *at++) * 0x100000001b3UL;
	return hash;
}

#endif
