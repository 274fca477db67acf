/* SPDX-License-Identifier: MIT */
/* The changes that a program has made to files outside /out, which its guest reports at the end (abi/changes.h). */
#ifndef HYPERVISOR_CHANGES_H
#define HYPERVISOR_CHANGES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "abi/changes.h"
#include "base/error.h"
#include "guest/guest_memory.h"
#include "hostfs/host_files.h"
#include "hostfs/tree/host_source.h"
#include "save/save_dir.h"

/** One object that was created, changed or removed. */
struct change_record {
	uint32_t what, kind, mode, root, nlink;
	bool is_below;     /**< below the directory of --save */
	bool is_saved;     /**< saved, except the part that `lacks` names */
	bool has_contents; /**< its contents are in the spool at offset `at` */
	const char *lacks; /**< the part of it that is not saved, or NULL */
	uint64_t handle;   /**< handle of the host's object that was in its place; valid with is_known */
	bool is_known;
	uint64_t bytes, ino, at;
	int64_t mtime_ns;
	char *host; /**< its path on the host; NULL: in the guest's own root. The part below the directory of --save
	               begins at `below` */
	size_t below;
	char path[]; /**< path in the guest */
};

/** Zero-initialised: no changes. */
struct changes {
	const struct save_dir *dir; /**< the directory of --save; NULL: save nothing */
	const char *
		guest_dir; /**< in a run from an image: the directory of the guest that `dir` stands for; NULL: no image
	                    */
	bool takes_all;    /**< receive the contents of all files, into `spool` */
	int spool;         /**< with takes_all: an unnamed file; otherwise it is that of `dir` */
	char *here;        /**< the current directory, or NULL */
	struct host_files *files; /**< the host's files that are shown; NULL: none */
	uint64_t bytes_max;       /**< limit for the bytes of all contents, and for those of all paths */
	bool (*stopped)(void);    /**< whether the run is to stop */
	struct change_record **records;
	size_t count, room;
	uint64_t path_bytes, spool_bytes;
	void *linked;                  /**< tsearch(3): records that have contents and several names */
	struct change_record *current; /**< record whose contents are being received; NULL: none */
	uint64_t left;                 /**< bytes still to receive */
	uint32_t from;                 /**< handle of the host's object that supplies the contents, if is_from */
	bool is_from;
	struct host_source source; /**< that object, if it is open */
	bool is_complete;          /**< the guest has reported all changes */
	struct error error;
};

/** Prepares to receive the changes of the run that is about to end. `files` and the limits are those of that run. */
void changes_begin(struct changes *changes, struct host_files *files, uint64_t bytes_max, bool (*stopped)(void));

/**
 * changes_take receives one change; it returns 1 if the contents are wanted, 0 if not. changes_take_data then receives
 * the contents, as out_data does. Both return a negative errno with a line in changes->error if the guest's report is
 * impossible, or if there is no room.
 */
int changes_take(struct changes *changes, const struct guest_memory *memory, gpa_t change);
int changes_take_data(struct changes *changes, const struct guest_memory *memory, gpa_t pieces, uint64_t count);

/** Finishes: the guest has reported all changes. Returns 0, or a negative errno with a line in changes->error. */
int changes_end(struct changes *changes);

/** Whether the change is reported to the user: an object that only got further names is not. */
bool change_is_told(const struct change_record *record);

/** Frees all memory. */
void changes_fini(struct changes *changes);

#endif
