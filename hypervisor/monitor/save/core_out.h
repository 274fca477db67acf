/* SPDX-License-Identifier: MIT */
/* The core file that a guest sends (abi/core.h). What it holds is the guest's affair: the file is for debuggers, and
 * eremite does not read it. */
#ifndef HYPERVISOR_CORE_OUT_H
#define HYPERVISOR_CORE_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "guest/guest_memory.h"

struct core_out {
	int fd;                   /**< open for writing */
	bool is_regular;          /**< the file can have holes; if not, zeros are written */
	uint64_t data_max;        /**< bytes to write at most: holes of a regular file do not count */
	bool (*is_stopped)(void); /**< whether the user has stopped eremite; NULL: never */
	/* Set by the run: */
	uint64_t written, total, data;
	uint64_t missing;  /**< bytes that are zero because the guest had no memory to load them */
	char program[512]; /**< path of the program that the file shows, as the guest gives it; empty: unknown */
	bool is_complete;
	int error;         /**< of a write: a negative errno */
	char why_not[200]; /**< why there is no file, in spite of a failure; empty: there is one, or none is due */
};

/** Writes the pieces, `count` of struct out_piece at an address. Returns 0, or a negative errno after which nothing
 * more is written: core->error or why_not says why. */
int core_out_take(struct core_out *core, const struct guest_memory *memory, gpa_t address, uint64_t count,
                  uint64_t total, uint64_t missing);

/** Completes the file when the guest says that it has sent all. */
void core_out_end(struct core_out *core);

#endif
