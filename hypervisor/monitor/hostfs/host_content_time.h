/* SPDX-License-Identifier: MIT */
/* Times of Python sources without bytecode of the host's: a function of their contents. What a program compiles and
 * keeps (--save) has the time that it saw, in the header of bytecode or in an index of Numba's. It is found valid later
 * only if the source has the same contents, whatever times the host gives it. */
#ifndef HYPERVISOR_HOST_CONTENT_TIME_H
#define HYPERVISOR_HOST_CONTENT_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "hostfs/tree/host_tree.h"

struct host_files;

/** The contents of a source, as its time has them. */
struct host_content_time {
	uint32_t source;         /**< handle */
	uint32_t seconds;        /**< since 1970 */
	struct host_stamp stamp; /**< of what was read */
	bool is_old;             /**< the stamp was not young then: a change since makes another one */
};

/** Whether a time can be one of these: from 1980-01-02, as early as ZIP archives can name in every time zone, to the
 * end of 1989, so that make(1) never finds a source newer than a file of 1990-01-01. */
bool host_content_time_is(uint32_t seconds);

/**
 * Reads a source of the live host, and sets *time. The time is the first of that range, plus the first eight bytes of
 * the contents' SHA-256 as a little-endian number modulo the seconds of the range. Bytecode that is found valid was
 * compiled from this source, or from one that has the same size and, by a chance of 1 to 315 million, the same time.
 * Returns 1, 0 if the program could not read the source either, or a negative errno with a line in files->error.
 */
int host_content_time_read(struct host_files *files, uint32_t source, struct host_content_time *time);

#endif
