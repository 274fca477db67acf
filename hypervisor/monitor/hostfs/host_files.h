/* SPDX-License-Identifier: MIT */
/* The broker by which a guest sees files of the host, read-only (abi/host_file.h). */
#ifndef HYPERVISOR_HOST_FILES_H
#define HYPERVISOR_HOST_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/boot.h"
#include "abi/host_file.h"
#include "base/error.h"
#include "guest/guest_memory.h"
#include "hostfs/host_bytecode.h"
#include "hostfs/host_chunks.h"
#include "hostfs/host_notes.h"
#include "hostfs/host_objects.h"
#include "hostfs/host_place.h"
#include "hostfs/scout/host_scout.h"
#include "hostfs/tree/host_tree.h"

#define HOST_FILES_LIST_MAX (1U << 20) /* names in one directory */

struct host_listing;

/** Zero-initialised: no files are shown. */
struct host_files {
	struct host_tree *trees; /**< roots 0, 1, ...; owned by the caller */
	unsigned tree_count;
	bool times;                      /**< the guest sees the host's mtime of regular files */
	int64_t time_ns;                 /**< otherwise the mtime of all files */
	bool bytecode_times;             /**< Python sources have the time of their bytecode instead */
	bool content_times;              /**< and those without bytecode a time by their contents */
	bool hash;                       /**< hash contents, for the run digest or a list */
	bool (*is_stopped)(void);        /**< whether the run was stopped, so hashes are not needed; NULL: never */
	unsigned run;                    /**< number of the run, from 1 */
	struct guest_contents *contents; /**< where HOST_FILE_SHOW adds; owned by the caller; NULL: it is refused */
	struct host_objects objects;
	struct host_objects absent;    /**< names, in directories of `objects`, that did not exist */
	struct host_bytecode bytecode; /**< bytecode of the sources in `objects` */
	struct host_listing *listing;  /**< the last listed directory */
	struct host_scout *scout;      /**< reads ahead; owned by host_ahead.h; NULL: nothing does */
	struct host_place place;       /**< the last directory that was listed, or whose names were looked up */
	struct host_chunks chunks;     /**< large files of which parts were read */
	struct host_notes notes;       /**< files read in all runs */
	struct host_note *noted;       /**< the last note */
	bool checks_beside;            /**< the keeper checks contents of an image (host_show_check) */
	const char *workdir;           /**< the program's, as the guest names it; NULL: it is in no tree of the host */
	bool strict;                   /**< a file that the user may not read ends the run (host_denied.h) */
	bool is_denied;                /**< an answer ahead was -EACCES */
	bool is_ahead;                 /**< serving ahead of the guest's request: notes belong to no run yet */
	struct error error;            /**< why the run cannot go on; empty: no error */
};

/**
 * Opens all trees. Returns 0, or a negative errno with one line in *error; host_files_close is then allowed but not
 * needed.
 */
int host_files_open(struct host_files *files, struct host_tree *trees, unsigned count, struct error *error);

/** Closes and frees everything; accepts an all-zero structure. */
void host_files_close(struct host_files *files);

/**
 * Begins another run and forgets the objects of the last one. Notes of files that were read stay, and their contents
 * must be the same again. Returns 0, or a negative errno with a line in files->error.
 */
int host_files_begin(struct host_files *files);

/**
 * Serves a struct host_file_request. Returns the answer to the guest: 0 or more, or a negative errno. If files->error
 * is not empty afterwards, the run cannot go on: a file has changed, a limit was reached, or the request is malformed.
 */
int64_t host_files_serve(struct host_files *files, const struct guest_memory *memory, gpa_t request);

/** The three steps of host_files_serve. Copies the request from guest memory. Returns 0, or a negative errno with a
 * line in files->error. */
int64_t host_files_take(struct host_files *files, const struct guest_memory *memory, gpa_t address,
                        struct host_file_request *request);

/** Serves a request that is not in guest memory, although its buffer is. Writes attributes into the request, and for
 * HOST_FILE_LIST the number of bytes filled in the buffer. */
int64_t host_files_answer(struct host_files *files, const struct guest_memory *memory,
                          struct host_file_request *request);

/** Writes the attributes of the answer to HOST_FILE_LIST into the guest's request. */
void host_files_return(const struct guest_memory *memory, gpa_t address, const struct host_file_request *request,
                       int64_t answer);

/** Notes what was read of an object: a file's contents or a directory's names. Returns 0, or a negative errno with a
 * line in files->error, also if an earlier run read something else. */
int64_t host_files_note(struct host_files *files, uint32_t handle, const struct host_stamp *stamp,
                        const uint8_t hash[DIGEST_BYTES]);

/** Finds an object that the run has looked up by its path in the guest, which begins with a slash. Follows no links. */
bool host_files_find(const struct host_files *files, const char *path, uint32_t *handle);

/** Looks up all names of a directory that was looked up. Returns 0, or a negative errno with a line in files->error. */
int host_files_look_all(struct host_files *files, uint32_t handle);

/** Name number `which` of the directory whose names were looked up last, and the type of its object. Returns NULL
 * behind the last one. */
const char *host_files_listed(const struct host_files *files, uint32_t which, uint32_t *mode);

/** Forgets what was read ahead. Called before time passes in which files may change. */
void host_files_forget_scouted(struct host_files *files);

/** Frees files->listing; the guest can then not ask for the next part of a list. */
void host_files_forget_listing(struct host_files *files);

#endif
