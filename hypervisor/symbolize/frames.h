/* SPDX-License-Identifier: MIT */
/* The frames of one stack, found by the image's unwind information and printed with what its DWARF says of them. */
#ifndef HYPERVISOR_SYMBOLIZE_FRAMES_H
#define HYPERVISOR_SYMBOLIZE_FRAMES_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "modules.h"
#include "request.h"

/** What is printed of an address. */
struct frames_text {
	uint64_t address;
	enum frames_use { FRAMES_PLACE, FRAMES_CALL, FRAMES_OBJECT } use; /**< an instruction, a return address, data */
	char *lines;                                                      /**< ended by newlines; NULL: not known yet */
};

struct frames {
	struct symbolize_request *request;
	const uint8_t *stack; /**< its bytes, in the one place and then in the next */
	Dwfl *dwfl;           /**< NULL: the image cannot be read */
	bool has_state;
	bool has_jumped;         /**< the first frame was left by hand, so that the next one is its caller */
	unsigned count;          /**< frames printed */
	struct modules *modules; /**< of a Linux program; NULL: there is one image */
	struct frames_text
		*texts; /**< what was found out about addresses, by hash; all stacks of a program are alike */
};

/** Takes the image, an open file, or a Linux program's modules (request.h); when it cannot be read, frames_print gives
 * addresses alone. */
void frames_open(struct frames *frames, int image);

/** Prints the symbol of request->object, "name+0x8", without a newline; nothing when there is none. */
void frames_print_object(struct frames *frames);

/** Prints at least one line, and at most SYMBOLIZE_FRAMES_MAX frames. */
void frames_print(struct frames *frames);

#endif
