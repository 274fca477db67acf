/* SPDX-License-Identifier: MIT */
/* What a guest leaves in /out: written below a host directory, and summed. */
#ifndef HYPERVISOR_OUT_H
#define HYPERVISOR_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/doorbell.h"
#include "base/new_file.h"
#include "guest/digest.h"
#include "guest/guest_memory.h"

#define OUT_PATH_BYTES sizeof(((struct out_entry *)0)->path)
#define OUT_DEPTH_MAX (OUT_PATH_BYTES / 2) /* components that a path has room for */
#define OUT_TARGET_BYTES 4096              /* of a symbolic link, with the NUL */

/** A directory whose mode would keep its own contents out; it gets that mode when they are there. */
struct out_closing {
	uint16_t path_bytes; /**< of out->closing_path */
	uint16_t mode;
};

/** What a guest may leave, and who may stop it. */
struct out_limits {
	uint64_t objects;
	/**
	 * Of all files together. Those that are sparse or have several names count in full: the host's disk holds no
	 * holes, but summing the zeros takes as long as summing data.
	 */
	uint64_t bytes;
	bool (*stopped)(void); /**< whether the run is to end, asked between pieces of data; NULL: never */
};

struct out {
	struct out_limits limits;
	int dir;       /**< the host directory, or -1: only summed */
	int parent;    /**< directory of the current object, or -1 */
	mode_t mask;   /**< umask(2) before */
	bool can_link; /**< a file without a name can be given one */
	bool failed;
	uint64_t left; /**< bytes of the current object still to come */
	uint32_t kind, mode;
	uint64_t number;               /**< objects so far */
	uint64_t total;                /**< bytes of them */
	char path[OUT_PATH_BYTES];     /**< of the current object */
	struct new_file file;          /**< that, while it is written; file.fd is -1 when none is */
	char target[OUT_TARGET_BYTES]; /**< of the current symbolic link, as far as it has come */
	uint64_t target_bytes;
	struct out_closing closing[OUT_DEPTH_MAX]; /**< each inside the one before, so that there is room for all */
	unsigned closing_count;
	char closing_path[OUT_PATH_BYTES]; /**< path of the innermost */
	struct digest_sum sum;
	uint64_t special;       /**< objects that have no place in a host directory: only summed */
	uint32_t special_kind;  /**< of the first of them */
	char special_path[128]; /**< of that, cut */
	char warning[320];      /**< a line about them, from out_fini; empty when there is nothing to say */
	char error[256];
};

/**
 * Opens (and makes, its parent must be there) the host directory; NULL only sums. 0 or a negative errno with a line
 * in out->error. out_fini is allowed, not needed, after a failure.
 */
int out_init(struct out *out, const char *dir, const struct out_limits *limits);

/**
 * Handles the guest's announcement of an object, then its data, a struct out_piece[count] at a time: exactly as many
 * bytes as announced, in any number of pieces. A hole is summed as zeros, and is one in the host's file. FIFOs, sockets
 * and devices, which would be traps for who reads the directory, are only summed, and counted for a warning. Objects
 * that exist are replaced, but never a directory by something else. Missing parent directories are made. A symbolic
 * link in a path is never followed. -EFBIG beyond the limits, -EINTR when limits.stopped says so. 0 or a negative
 * errno, with a line in error; after a failure nothing half-written is left, and all that follows fails in the same
 * way.
 */
int out_entry(struct out *out, const struct guest_memory *memory, gpa_t entry);
int out_data(struct out *out, const struct guest_memory *memory, gpa_t pieces, uint64_t count);

/**
 * Closes; the sum over everything goes to digest: kind, permission bits, size, path and contents of each object in
 * the order in which they came. -EPROTO when the last object is not complete, with a line in error. Sets warning when a
 * host directory lacks something.
 */
int out_fini(struct out *out, uint8_t digest[DIGEST_BYTES]);

#endif
