/* SPDX-License-Identifier: MIT */
/* The files that a guest leaves in /out: writes them below a host directory, and hashes them. */
#ifndef HYPERVISOR_OUT_H
#define HYPERVISOR_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/doorbell.h"
#include "base/error.h"
#include "base/new_file.h"
#include "base/digest.h"
#include "guest/guest_memory.h"
#include "hostfs/out_copy.h"

#define OUT_PATH_BYTES sizeof(((struct out_entry *)0)->path)
#define OUT_DEPTH_MAX (OUT_PATH_BYTES / 2) /* maximum number of components in a path */
#define OUT_TARGET_BYTES 4096              /* target of a symbolic link, with the NUL */

/** A directory whose mode forbids writing its contents. It gets the mode when the contents are there. */
struct out_closing {
	uint16_t path_bytes; /**< of out->closing_path */
	uint16_t mode;
};

/** Limits on what a guest may leave. */
struct out_limits {
	uint64_t objects;
	/**
	 * Bytes of all files together. Sparse files, and files with several names, count in full: holes take no space
	 * on the host's disk, but hashing zeros takes as long as hashing data.
	 */
	uint64_t bytes;
	bool (*stopped)(void); /**< whether the run is to stop, called between pieces of data; NULL: never */
};

struct out {
	struct out_limits limits;
	int dir;       /**< the host directory; -1: only hash */
	int parent;    /**< directory of the current object, or -1 */
	mode_t mask;   /**< the caller's umask(2) */
	bool can_link; /**< an unnamed file can be linked to a name */
	bool failed;
	uint64_t left; /**< bytes of the current object still to come */
	uint32_t kind, mode;
	uint64_t number;               /**< objects so far */
	uint64_t total;                /**< bytes of all objects so far */
	char path[OUT_PATH_BYTES];     /**< path of the current object */
	struct new_file file;          /**< the current file, while it is written; file.fd is -1 otherwise */
	char target[OUT_TARGET_BYTES]; /**< target of the current symbolic link, as far as received */
	uint64_t target_bytes;
	struct out_closing closing[OUT_DEPTH_MAX]; /**< each is inside the one before, so they always fit */
	unsigned closing_count;
	char closing_path[OUT_PATH_BYTES]; /**< path of the innermost */
	struct digest_sum sum;
	struct out_copy *copy;  /**< a file that is kept in memory, too; set after out_init, or NULL */
	uint64_t special;       /**< objects that are not written to a host directory, only hashed */
	uint32_t special_kind;  /**< kind of the first of them */
	char special_path[128]; /**< its path, truncated */
	char warning[320];      /**< a line about them, set by out_fini; empty if there are none */
	struct error error;
};

/**
 * Opens the host directory, and creates it if its parent exists. With NULL, objects are only hashed. Returns 0, or a
 * negative errno with a line in out->error. out_fini is allowed but not needed after a failure.
 */
int out_init(struct out *out, const char *dir, const struct out_limits *limits);

/**
 * out_entry handles the guest's announcement of an object, out_data its data, a struct out_piece[count] at a time. The
 * data must have exactly the announced number of bytes, in any number of pieces. A hole is hashed as zeros and becomes
 * a hole in the host's file. FIFOs, sockets and devices could trap readers of the directory, so they are only hashed,
 * and counted for a warning. Existing objects are replaced, but a directory never by another kind. Missing parent
 * directories are created. Symbolic links in a path are never followed. Both return 0, or a negative errno with a line
 * in out->error: -EFBIG beyond the limits, -EINTR if limits.stopped says so. After a failure no half-written file is
 * left, and all later calls fail in the same way.
 */
int out_entry(struct out *out, const struct guest_memory *memory, gpa_t entry);
int out_data(struct out *out, const struct guest_memory *memory, gpa_t pieces, uint64_t count);

/**
 * Finishes, and writes the hash of all objects to `digest`: kind, permission bits, size, path and contents of each, in
 * the order in which they came. Returns -EPROTO, with a line in out->error, if the last object is incomplete. Sets
 * out->warning if objects are missing in the host directory.
 */
int out_fini(struct out *out, uint8_t digest[DIGEST_BYTES]);

#endif
