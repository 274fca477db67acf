/* SPDX-License-Identifier: MIT */
/* What is typed on the terminal of a guest (--tty), one key at a time. A key is a byte, a character of UTF-8, or an
 * escape sequence as a function key sends it, if its bytes come together.
 *
 * What the guest gets is recorded: its keys, and the waits that ended without one. */
#ifndef HYPERVISOR_TERMINAL_H
#define HYPERVISOR_TERMINAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/doorbell.h"
#include "base/digest.h"

#define TERMINAL_BYTES 4096

/** The record of a run: two runs with equal sums were given the same. */
struct terminal_record {
	uint64_t keys, bytes;
	uint64_t waits;            /**< those that ended without a key */
	uint8_t sum[DIGEST_BYTES]; /**< SHA-256 of all */
};

struct terminal {
	pthread_mutex_t lock; /**< protects all that follows */
	uint8_t typed[TERMINAL_BYTES];
	size_t start, end; /**< typed and not yet taken: typed[start, end) */
	bool ended;        /**< the host's terminal has gone */
	bool is_waiting;   /**< the guest's thread reads by itself */
	bool hashing;
	struct terminal_record record;
	struct digest_sum sum;
};

/** Starts a record, with its sum if `hashing` is set. */
void terminal_init(struct terminal *terminal, bool hashing);

/** Completes the record. */
void terminal_fini(struct terminal *terminal);

/**
 * Waits up to wait_ns (UINT64_MAX: for ever) for a key. `moment` is recorded with a key for which nobody waits. Returns
 * the number of its bytes, 0 when the terminal has gone, -EAGAIN, or -EINTR: call again if nothing has stopped the run.
 */
int64_t terminal_key(struct terminal *terminal, uint8_t key[TYPED_BYTES], uint64_t wait_ns, uint64_t moment);

/** Whether a key that makes a signal has been typed. Any thread may call it. */
bool terminal_look(struct terminal *terminal);

/** Bytes of the first key in at least one byte. */
size_t terminal_key_bytes(const uint8_t *typed, size_t bytes);

#endif
