/* SPDX-License-Identifier: MIT */
/* Standard input of a guest: the host's, or what an earlier run of a comparison has read of it. */
#ifndef HYPERVISOR_INPUT_H
#define HYPERVISOR_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** Shared by the runs of one comparison. Zero-initialised: live, nothing kept. */
struct input {
	bool keep; /**< remember what is read, for input_rewind */
	uint8_t *kept;
	size_t kept_bytes, room;
	size_t at;  /**< what the current run has read of it */
	bool ended; /**< end of input was seen after the kept bytes */
};

/**
 * Reads like read(2) on standard input: kept bytes first, then the host's. It waits for them, also when the descriptor
 * does not (O_NONBLOCK). A missing standard input is an empty one. -EINTR, to be called again: a signal came, or there
 * may be input by now; -ENOMEM when what is read cannot be kept; other errors are the host's, and no matter of the
 * guest.
 */
ssize_t input_read(struct input *input, void *to, size_t bytes);

/** Starts again at the beginning, for another run. */
void input_rewind(struct input *input);

/** Frees what was kept. */
void input_fini(struct input *input);

#endif
