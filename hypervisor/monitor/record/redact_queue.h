/* SPDX-License-Identifier: MIT */
/* What --redact holds back: a record waits in memory until no match can begin in it and end in bytes that come later.
 * So a match may cross any number of records of one direction of a connection, up to REDACT_WINDOW bytes. */
#ifndef HYPERVISOR_REDACT_QUEUE_H
#define HYPERVISOR_REDACT_QUEUE_H

#include "abi/network.h"
#include "record/redact.h"

#define REDACT_WINDOW 16384U         /* bytes of a match: more than any header of HTTP that servers accept */
#define REDACT_HELD_MAX (64UL << 20) /* bytes that wait in memory; then the oldest ones are redacted unseen */

#define REDACT_LATE UINT64_MAX

struct redact_queue;

/** What a block REDACTED has: where the payload of the next record was replaced. `count` ranges follow. */
struct record_redacted {
	uint32_t op;     /**< of the record; 0: the recording was made with --redact */
	uint32_t flow;   /**< of the record */
	uint64_t offset; /**< bytes of this direction of the connection that came before the record; REDACT_LATE: nobody
	                    reads it */
	uint32_t count;
	uint32_t reserved;
};

struct record_redacted_range {
	uint32_t at, bytes; /**< in the payload */
};

/** Keeps a record, whose payload has no secret any more. `redacted`: NULL, or what was replaced. */
typedef void redact_keep(void *context, const struct network_record *record, const void *payload,
                         const struct record_redacted *redacted, const struct record_redacted_range *ranges);

/** Counts of a run. */
struct redact_counts {
	uint64_t matches; /**< expressions that matched, in all */
	uint64_t bytes;   /**< that were replaced */
	uint64_t unseen;  /**< of them: without a match, because too much waited */
	uint64_t tls;     /**< connections that begin as TLS does: no expression sees their text */
};

/** Takes over `redact`, also on an error. Returns NULL without memory. redact_queue_destroy accepts NULL. */
struct redact_queue *redact_queue_create(struct redact *redact, redact_keep *keep, void *context);
void redact_queue_destroy(struct redact_queue *queue);

/** Adds a record, and keeps those that need not wait any more. */
void redact_queue_add(struct redact_queue *queue, const struct network_record *record, const void *payload);

/** Keeps all: nothing more comes. */
void redact_queue_end(struct redact_queue *queue);

/** The first error, a negative errno: then nothing more is kept. */
int redact_queue_error(const struct redact_queue *queue);

/** What has been replaced so far. */
struct redact_counts redact_queue_counts(const struct redact_queue *queue);

#endif
