/* SPDX-License-Identifier: MIT */
/* The broker by which a guest sees files of the host, read-only (abi/host_file.h). */
#ifndef HYPERVISOR_HOST_FILES_H
#define HYPERVISOR_HOST_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/boot.h"
#include "abi/host_file.h"
#include "guest/guest_memory.h"
#include "hostfs/host_bytecode.h"
#include "hostfs/host_notes.h"
#include "hostfs/host_objects.h"
#include "hostfs/host_tree.h"

#define HOST_FILES_LIST_MAX (1U << 20) /* names in one directory */

struct host_listing;

/** Zero-initialised: nothing is shown. */
struct host_files {
	struct host_tree *trees; /**< root 0, 1, ...; the caller's */
	unsigned tree_count;
	bool times;          /**< the guest is told when a regular file was changed */
	int64_t time_ns;     /**< else it is told this time of all */
	bool bytecode_times; /**< but of Python sources the time of their bytecode */
	bool hash;           /**< contents are to be hashed, for the run digest or a list */
	unsigned run;        /**< number of the run, from 1 */
	struct host_objects objects;
	struct host_objects absent;    /**< names, in objects, of which there was nothing */
	struct host_bytecode bytecode; /**< of sources in objects */
	struct host_listing *listing;  /**< the directory that was listed last */
	struct host_notes notes;       /**< of all runs */
	struct host_note *noted;       /**< what was read last */
	bool is_ahead;                 /**< nobody has asked yet for what is served: it is noted, but for no run */
	char error[256];               /**< why the run cannot go on; empty: it can */
};

/** Opens all trees. 0, or a negative errno with one line in error[]; host_files_close is then allowed, not needed. */
int host_files_open(struct host_files *files, struct host_tree *trees, unsigned count, char error[256]);

/** Closes and frees everything; takes one that is all zero. */
void host_files_close(struct host_files *files);

/**
 * Forgets the objects of the last run: another one begins. What was read stays noted, and must be the same. 0, or a
 * negative errno with a line in files->error.
 */
int host_files_begin(struct host_files *files);

/**
 * Opens a name in a directory that was looked at, or with an empty name the object itself, by its path and beneath its
 * tree. A descriptor for the caller to close, and its stamp, or a negative errno.
 */
int host_files_open_path(const struct host_files *files, uint32_t handle, const char *name, int flags,
                         struct host_stamp *stamp);

/**
 * Serves a struct host_file_request. What the guest is answered: 0 or more, or a negative errno. When files->error is
 * not empty afterwards, the run cannot go on: a file has changed, a limit was reached, or the request is not one.
 */
int64_t host_files_serve(struct host_files *files, const struct guest_memory *memory, gpa_t request);

/** The same of a request that was copied already; of HOST_FILE_LIST attributes are written to `address`, too. */
int64_t host_files_serve_copy(struct host_files *files, const struct guest_memory *memory, gpa_t address,
                              struct host_file_request *request);

/**
 * The same of a request that is not in the guest's memory, though its buffer is. Attributes are written into it, and of
 * HOST_FILE_LIST how many bytes of the buffer are filled.
 */
int64_t host_files_answer(struct host_files *files, const struct guest_memory *memory,
                          struct host_file_request *request);

/** Frees files->listing: the next part of a list cannot be asked for. */
void host_files_forget_listing(struct host_files *files);

#endif
