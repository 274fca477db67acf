/* SPDX-License-Identifier: MIT */
/* Times of Python sources. A source is told the time that its bytecode was compiled for (PEP 552), which is the same on
 * every machine, so that Python finds its bytecode valid. */
#ifndef HYPERVISOR_HOST_BYTECODE_H
#define HYPERVISOR_HOST_BYTECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "hostfs/host_tree.h"

#define HOST_BYTECODE_HEADER_BYTES 16UL
#define HOST_BYTECODE_LISTINGS_MAX 32 /* an import goes to and fro between fewer directories */

struct host_files;

/** The bytecode files in one __pycache__. */
struct host_bytecode_listing {
	uint32_t dir;          /**< handle of the directory that __pycache__ is in */
	uint32_t owner;        /**< handle of the source that it was read for */
	int count;             /**< of names; 0 where there is no __pycache__ */
	struct dirent **names; /**< sorted by their bytes */
};

/** A symbolic link with the name of a source. */
struct host_bytecode_link {
	uint32_t link; /**< handle */
	char *target;  /**< path in the guest */
};

/** The bytecode file that a source has its time from. */
struct host_bytecode_file {
	uint32_t source;         /**< handle */
	uint32_t dir;            /**< handle of the directory that __pycache__ is in */
	char *name;              /**< below that directory */
	struct host_stamp stamp; /**< when its header was read */
	uint8_t header[HOST_BYTECODE_HEADER_BYTES];
};

/** Zero-initialised: nothing was looked at. */
struct host_bytecode {
	struct host_bytecode_listing listings[HOST_BYTECODE_LISTINGS_MAX]; /**< the latest last */
	unsigned listing_count;
	struct host_bytecode_file *files; /**< by source; a source without one has no valid bytecode */
	uint32_t count, room;
	struct host_bytecode_link *links; /**< in the order of their handles */
	uint32_t link_count, link_room;
};

/**
 * Looks for the bytecode of an object that was just added: of a file NAME.py the first of __pycache__/NAME.*.pyc, in
 * byte order, that holds a time and the source's size. One that cannot be read, or is no regular file, does not count.
 * If there is none, and the last link to a NAME.py that was added before leads to this object, it is looked for beside
 * the link. Other objects have none. `target` is that of a link. 0, or a negative errno with a line in files->error.
 */
int host_bytecode_look(struct host_files *files, uint32_t handle, const char *target);

/** The time that the bytecode of a source holds, in nanoseconds since 1970; without one files->time_ns. */
int64_t host_bytecode_time_ns(const struct host_files *files, uint32_t handle);

/** Forgets what was found for the objects from this handle on. */
void host_bytecode_truncate(struct host_files *files, uint32_t handle);

/**
 * Looks again for the bytecode of all sources, which must be what it was, and in the runs before, and notes the headers
 * that were read. 0, or a negative errno with a line in files->error.
 */
int host_bytecode_check(struct host_files *files);

/** Forgets all. */
void host_bytecode_fini(struct host_bytecode *bytecode);

#endif
