/* SPDX-License-Identifier: MIT */
/* What a program has left of its files beside /out, as its guest tells it after the end (abi/changes.h). */
#ifndef HYPERVISOR_CHANGES_H
#define HYPERVISOR_CHANGES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "abi/changes.h"
#include "guest/guest_memory.h"
#include "hostfs/host_files.h"
#include "save/save_dir.h"

/** One object that was created, changed or removed. */
struct change_record {
	uint32_t what, kind, mode, root, nlink;
	bool is_below;     /**< of --save's directory */
	bool is_saved;     /**< all of it but what `lacks` says */
	bool has_contents; /**< they are in the spool, at `at` */
	const char *lacks; /**< what is not saved of it, or NULL */
	uint64_t handle;   /**< of the host's object that it was in its place; with is_known */
	bool is_known;
	uint64_t bytes, ino, at;
	int64_t mtime_ns;
	char *host; /**< its path on the host, NULL of the guest's own root; what is below --save's directory begins at
	             * `below` */
	size_t below;
	char path[]; /**< in the guest */
};

/** Zero-initialised: none. */
struct changes {
	const struct save_dir *dir; /**< what is to be saved; NULL: nothing */
	char *here;                 /**< the current directory, or NULL */
	struct host_files *files;   /**< that are shown; NULL: none */
	uint64_t bytes_max;         /**< that all contents may have together, and all paths */
	bool (*stopped)(void);      /**< whether the run is to end */
	struct change_record **records;
	size_t count, room;
	uint64_t path_bytes, spool_bytes;
	void *linked;                  /**< tsearch(3): records that have contents and several names */
	struct change_record *current; /**< whose contents come; NULL: none do */
	uint64_t left;                 /**< bytes of them */
	uint32_t from;                 /**< the host's object that they are from, if is_from */
	bool is_from;
	int from_fd;      /**< open for reading, or -1 */
	bool is_complete; /**< the guest has told of all */
	char error[256];
};

/** Begins; the limits, and files, are those of the run that is about to end. */
void changes_begin(struct changes *changes, struct host_files *files, uint64_t bytes_max, bool (*stopped)(void));

/**
 * Takes one change: 1 if its contents are wanted, 0 if not; then the contents, as out_data does. A negative errno with
 * a line in changes->error when the guest's word cannot be, or there is no room.
 */
int changes_take(struct changes *changes, const struct guest_memory *memory, gpa_t change);
int changes_take_data(struct changes *changes, const struct guest_memory *memory, gpa_t pieces, uint64_t count);

/** The guest has told of all. 0, or a negative errno with a line in changes->error. */
int changes_end(struct changes *changes);

/** Whether an object was changed at all: one that only has further names was not. */
bool change_is_told(const struct change_record *record);

/** Frees all. */
void changes_fini(struct changes *changes);

#endif
