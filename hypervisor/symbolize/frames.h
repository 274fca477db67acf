/* SPDX-License-Identifier: MIT */
/* The frames of one stack, found by the image's unwind information and printed with what its DWARF says of them. */
#ifndef HYPERVISOR_SYMBOLIZE_FRAMES_H
#define HYPERVISOR_SYMBOLIZE_FRAMES_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "request.h"

struct frames {
	struct symbolize_request *request;
	const uint8_t *stack; /**< request->stack_bytes of it */
	Dwfl *dwfl;           /**< NULL: the image cannot be read */
	bool has_state;
	bool has_jumped; /**< the first frame was left by hand, so that the next one is its caller */
	unsigned count;  /**< frames printed */
};

/** Takes the image, an open file; when it cannot be read, frames_print gives addresses alone. */
void frames_open(struct frames *frames, int image);

/** Prints the symbol of request->object, "name+0x8", without a newline; nothing when there is none. */
void frames_print_object(const struct frames *frames);

/** Prints at least one line, and at most SYMBOLIZE_FRAMES_MAX frames. */
void frames_print(struct frames *frames);

#endif
