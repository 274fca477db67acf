/* SPDX-License-Identifier: MIT */
/* Finds the frames of one stack by the image's unwind information, and prints them with names from its DWARF. */
#ifndef HYPERVISOR_SYMBOLIZE_FRAMES_H
#define HYPERVISOR_SYMBOLIZE_FRAMES_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "modules.h"
#include "request.h"

/** The text that is printed for an address. */
struct frames_text {
	uint64_t address;
	enum frames_use { FRAMES_PLACE, FRAMES_CALL, FRAMES_OBJECT } use; /**< an instruction, a return address, data */
	char *lines; /**< newline-terminated lines; NULL: not known yet */
};

struct frames {
	struct symbolize_request *request;
	const uint8_t *stack; /**< the stack's bytes: those of the first part, then those of the next */
	Dwfl *dwfl;           /**< NULL: the image cannot be read */
	bool has_state;
	bool has_jumped;           /**< the first frame was unwound by hand, so the next one is its caller */
	bool has_python;           /**< CPython runs on this stack */
	unsigned count;            /**< frames printed */
	struct modules *modules;   /**< modules of a Linux program; NULL: one native image */
	struct frames_text *texts; /**< hash table of texts by address, because stacks of a program share addresses */
};

/**
 * Opens the image or a Linux program's modules (request.h) from an open file. If that cannot be read, frames_print
 * prints only addresses.
 */
void frames_open(struct frames *frames, int image);

/** Prints the symbol of request->object, such as "name+0x8", without a newline; prints nothing if there is none. */
void frames_print_object(struct frames *frames);

/** Prints the frames: at least one line, and at most SYMBOLIZE_FRAMES_MAX frames. */
void frames_print(struct frames *frames);

#endif
