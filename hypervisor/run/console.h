/* SPDX-License-Identifier: MIT */
/* The monitor's end of the console: drains the ring, writes to its own stdout and stderr, hashes what passes. */
#ifndef HYPERVISOR_CONSOLE_H
#define HYPERVISOR_CONSOLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "guest/digest.h"
#include "guest/guest_memory.h"

struct console {
	const struct guest_memory *memory;
	pthread_mutex_t lock; /* protects everything below */
	uint64_t tail;        /* bytes of the ring consumed */
	int fds[3];           /* where streams 1 and 2 go; -1: nowhere */
	struct digest_sum sums[3];
	bool hashing;
	bool giving_up;   /* atomic: see console_give_up */
	bool reader_gone; /**< `error` is that nobody reads any more: EPIPE */
	char error[160];
};

/** Prepares to drain. Streams go to stdout and stderr unless `discard`; `hashing` keeps sums of both. */
void console_init(struct console *console, const struct guest_memory *memory, bool discard, bool hashing);
void console_fini(struct console *console);

/**
 * Writes out whatever is in the ring. Callable from every thread. Bytes of the ring that were read; -EPROTO when the
 * guest has broken the ring's rules; another negative errno when output cannot be written; with one line in
 * console->error.
 */
int console_drain(struct console *console);

/**
 * From now on output that cannot be written within a tenth of a second is dropped. Safe in signal handlers; a write
 * that blocks already has to be interrupted as well.
 */
void console_give_up(struct console *console);

#endif
