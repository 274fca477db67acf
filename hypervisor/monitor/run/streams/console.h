/* SPDX-License-Identifier: MIT */
/* The monitor's end of the console: drains the ring, writes its bytes to the monitor's stdout and stderr, and hashes
 * them. */
#ifndef HYPERVISOR_CONSOLE_H
#define HYPERVISOR_CONSOLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/digest.h"
#include "base/error.h"
#include "guest/guest_memory.h"
#include "run/observer.h"
#include "strace/strace.h"

/** What was written to a stream: tries_hash (abi/tries.h) of all bytes, and their number. */
struct console_sum {
	uint64_t hash, bytes;
};

struct console {
	const struct guest_memory *memory;
	pthread_mutex_t lock; /* protects everything below */
	uint64_t tail;        /* bytes of the ring consumed */
	int fds[3];           /* destinations of streams 1 and 2; -1: discarded */
	struct digest_sum sums[3];
	bool hashing;
	const struct observer *observer; /* with hashing: its output() is called with what is written */
	int copies[3];                   /* with hashing: files that receive the streams, too; 0: none */
	uint64_t copies_max;             /* bytes that each of them receives at most */
	struct console_sum copied[3];    /* of the streams that have such a file */
	struct strace *strace;           /* its lines are written beside the output; or NULL */
	bool giving_up;                  /* atomic: see console_give_up */
	bool reader_gone;                /**< `error` reports EPIPE: nobody reads the output any more */
	struct error error;
};

/** Prepares to drain. Streams go to stdout and stderr unless `discard` is set; `hashing` hashes both. */
void console_init(struct console *console, const struct guest_memory *memory, bool discard, bool hashing);
void console_fini(struct console *console);

/** Has the streams written to files, too, up to copies_max bytes each, and told to an observer. Before the first drain.
 */
void console_pass_on(struct console *console, const int copies[3], uint64_t copies_max,
                     const struct observer *observer);

/** Has the kernel calls of --strace shown whenever output is written, at the same places in it if they go to standard
 * error. Before the first drain. */
void console_show_calls(struct console *console, struct strace *strace);

/**
 * Writes out the contents of the ring. Any thread can call it. Returns the number of bytes read from the ring. Returns
 * -EPROTO if the guest has corrupted the ring, or another negative errno if output cannot be written; both put one line
 * in console->error.
 */
int console_drain(struct console *console);

/**
 * From now on drops output that cannot be written within 0.1 s. Safe in signal handlers. The caller must also interrupt
 * a write that is already blocked.
 */
void console_give_up(struct console *console);

#endif
