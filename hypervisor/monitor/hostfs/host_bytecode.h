/* SPDX-License-Identifier: MIT */
/* Times of Python sources. The guest sees a source with the time that is recorded in its bytecode (PEP 552). That time
 * is the same on every machine, and Python finds the bytecode valid. A source without bytecode of the host's has a time
 * by its contents (host_content_time.h), so no bytecode of other contents is valid. */
#ifndef HYPERVISOR_HOST_BYTECODE_H
#define HYPERVISOR_HOST_BYTECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hostfs/host_content_time.h"
#include "hostfs/tree/host_tree.h"

#define HOST_BYTECODE_HEADER_BYTES 16UL
#define HOST_BYTECODE_LISTINGS_MAX 32 /* an import alternates between fewer directories */

struct host_files;

/** The bytecode files in one __pycache__. */
struct host_bytecode_listing {
	uint32_t dir;          /**< handle of the directory that __pycache__ is in */
	uint32_t owner;        /**< handle of the source for which it was read */
	int count;             /**< number of names; 0: no __pycache__ */
	struct dirent **names; /**< sorted by their bytes */
};

/** A symbolic link with the name of a source. */
struct host_bytecode_link {
	uint32_t link; /**< handle */
	char *target;  /**< path in the guest */
};

/** The bytecode file that gives a source its time. */
struct host_bytecode_file {
	uint32_t source;         /**< handle */
	uint32_t dir;            /**< handle of the directory that __pycache__ is in */
	char *name;              /**< below that directory */
	struct host_stamp stamp; /**< when its header was read */
	bool is_old;             /**< the stamp was not young then: a change since makes another one */
	uint8_t header[HOST_BYTECODE_HEADER_BYTES];
	bool is_doubtful; /**< there is none, because a search found one with the source's time but other contents */
};

/** Zero-initialised: nothing was looked up. */
struct host_bytecode {
	struct host_bytecode_listing listings[HOST_BYTECODE_LISTINGS_MAX]; /**< the most recent one is last */
	unsigned listing_count;
	struct host_bytecode_file *files; /**< sorted by source; a source without an entry has no valid bytecode */
	uint32_t count;
	size_t room;
	struct host_content_time *times; /**< of sources whose contents were read, sorted by source */
	uint32_t time_count;
	size_t time_room;
	struct host_bytecode_link *links; /**< in the order of their handles */
	uint32_t link_count;
	size_t link_room;
};

/**
 * Finds the bytecode of an object that was just added. For a file NAME.py this is the first of __pycache__/NAME.*.pyc,
 * in byte order, that holds a time and the source's size. Unreadable files and other than regular files are skipped. If
 * there is none, and the last symbolic link named NAME.py that was added leads to this object, the bytecode is searched
 * beside the link. Other objects have no bytecode. With files->content_times, reads a source that has no bytecode, also
 * one that is a tree of its own. `target` is the target of a link. Returns 0, or a negative errno
 * with a line in files->error.
 */
int host_bytecode_look(struct host_files *files, uint32_t handle, const char *target);

/** Finds the bytecode of a source of the live host, as host_tree_ops.find_bytecode. */
int host_bytecode_find_live(struct host_files *files, uint32_t source, struct host_bytecode_file *file);

/** Returns the time in the bytecode of a source, in ns since 1970. If it has no bytecode, that of its contents with
 * files->content_times, else files->time_ns, which is also the time of other files. */
int64_t host_bytecode_time_ns(const struct host_files *files, uint32_t handle);

/** Forgets the results for the objects from this handle on. */
void host_bytecode_truncate(struct host_files *files, uint32_t handle);

/**
 * Checks at the end of a run that each source still has the bytecode that this run found, and that earlier runs of
 * this process found the same. Notes the headers that were read. Returns 0, or a negative errno with a line in
 * files->error.
 */
int host_bytecode_check(struct host_files *files);

/** Forgets and frees everything. */
void host_bytecode_fini(struct host_bytecode *bytecode);

/** Returns the bytecode that was found for a source, or NULL. */
const struct host_bytecode_file *host_bytecode_of(const struct host_files *files, uint32_t source);

#endif
