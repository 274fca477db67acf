/* SPDX-License-Identifier: MIT */
/* Standard input of a guest: the host's, preceded by the bytes that an earlier run of a comparison has read. */
#ifndef HYPERVISOR_INPUT_H
#define HYPERVISOR_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** Shared by the runs of one comparison. Zero-initialised: nothing kept. */
struct input {
	bool keep; /**< keep bytes that are read, for input_rewind */
	uint8_t *kept;
	size_t kept_bytes, room;
	size_t at;  /**< bytes of `kept` that the current run has read */
	bool ended; /**< the host's input ended after the kept bytes */
};

/**
 * Reads like read(2) on standard input: kept bytes first, then the host's. Waits for input even if the descriptor is
 * O_NONBLOCK. Treats a closed standard input as empty. Returns -EINTR if the caller must call again: a signal came, or
 * input may be ready. Returns -ENOMEM if the bytes cannot be kept. Other errors are the host's and must not reach the
 * guest.
 */
ssize_t input_read(struct input *input, void *to, size_t bytes);

/** Starts reading from the beginning again, for another run. */
void input_rewind(struct input *input);

/** Frees the kept bytes. */
void input_fini(struct input *input);

#endif
