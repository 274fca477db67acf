/* SPDX-License-Identifier: MIT */
/* The keeper: a process beside the monitor that does what the confined monitor must not do while a guest runs. It
 * starts the symbolizer, renames complete files to their final names, and writes the cache. This is the monitor's side.
 */
#ifndef HYPERVISOR_KEEPER_H
#define HYPERVISOR_KEEPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "cache/scan_key.h"
#include "guest/content_sums.h"

/** Files that the keeper can move to their final place; session_outputs.c lists them in this order. */
enum keeper_save {
	KEEPER_SUMMARY,
	KEEPER_SCHEDULE,
	KEEPER_FILES,
	KEEPER_SHARED,
	KEEPER_EVENTS,
	KEEPER_CORE,
	KEEPER_GROWN_CAPTURE,
	KEEPER_GROWN_LOG,
	KEEPER_SAVES,
};

enum keeper_op {
	KEEPER_READY,         /**< the keeper's first message: `result` is 0, or `error` says why not */
	KEEPER_SYMBOLIZE,     /**< with an image and a file of requests; answered with a pipe */
	KEEPER_SYMBOLIZE_END, /**< not answered */
	KEEPER_COMMIT,        /**< `which` of enum keeper_save; answered */
	KEEPER_OUT,           /**< with the directory for /out; only the first message counts; not answered */
	KEEPER_SET_MODE,      /**< with a directory below it, or an unnamed file; answered */
	KEEPER_ATTRIBUTES,    /**< with a directory below that of --save and a name in `error`, or an unnamed file;
	                         answered */
	KEEPER_CACHE_PUT,     /**< with a file of records; not answered */
	KEEPER_CACHE_TOUCH,   /**< not answered */
	KEEPER_SUMS_KEEP,     /**< with a host file, open for reading, and a part of it; not answered */
	KEEPER_SUMS_TOUCH,    /**< the same */
	KEEPER_SUMS_CHECK,    /**< the same, with its `hash`, and `which` is a handle */
	KEEPER_SUMS_RESULT,   /**< answered: whether all hashes were right; `which` is the first handle with another one
	                       */
	KEEPER_FAREWELL,      /**< the monitor ends normally; not answered */
};

#define KEEPER_FDS 2

/** A message in either direction, with up to KEEPER_FDS descriptors (SCM_RIGHTS, unix(7)). */
struct keeper_message {
	uint32_t op; /**< enum keeper_op */
	int32_t result;
	uint32_t which; /**< enum keeper_save, enum scan_cache_kind, a mode, or a handle */
	uint32_t fd_count;
	struct scan_key key;
	uint64_t count; /**< number of records, a time in ns since 1970, or bytes of a part */
	uint64_t start; /**< of a part: its offset */
	uint8_t hash[DIGEST_BYTES];
	struct error error;
};

/**
 * Send or receive one message. The caller closes received descriptors. Return 0, or a negative errno: -EPIPE if the
 * other side has ended.
 */
int keeper_send(int socket, const struct keeper_message *message, const int *fds);
int keeper_receive(int socket, struct keeper_message *message, int fds[KEEPER_FDS]);

/** Registers the keeper process of this monitor. */
void keeper_adopt(pid_t pid, int socket);

/** Waits until the keeper is ready. Returns 0, or a negative errno with a line in *error. */
int keeper_await(struct error *error);

/** Whether there is a keeper. The functions below may be called only then. */
bool keeper_is_there(void);

/** Returns the socket that is connected to the keeper, or -1. */
int keeper_socket(void);

/**
 * Starts the symbolizer with an image, or -1, and a file of requests. Returns a descriptor from which to read its
 * answers, or a negative errno. No other symbolizer may be started before keeper_symbolize_end.
 */
int keeper_symbolize(int image, int requests);
void keeper_symbolize_end(void);

/** Moves a file with complete contents to its final place. Returns 0 or a negative errno. */
int keeper_commit(enum keeper_save which);

/** Tells the keeper the directory for /out. Called before the monitor is confined. */
void keeper_set_out(int dir);

/**
 * Sets the permission bits of a directory beneath that for /out, or of an unnamed file. Returns 0 or a negative errno.
 */
int keeper_set_mode(int fd, uint32_t mode);

/** Does what attributes_set does, beneath the directory of --save. */
int keeper_set_attributes(int fd, const char *leaf, uint32_t mode, int64_t time_ns);

/** Do what scan_cache_put and scan_cache_touch do. */
void keeper_cache_put(const struct scan_key *key, enum scan_cache_kind kind, const void *records, size_t count);
void keeper_cache_touch(const struct scan_key *key, enum scan_cache_kind kind);

/** Do what content_sums_keep and content_sums_touch do, unless the keeper is busy. */
void keeper_sums_keep(const struct content_part *part);
void keeper_sums_touch(const struct content_part *part);

/**
 * keeper_sums_check has the SHA-256 of a part compared with `hash` beside the run, and does what keeper_sums_keep does.
 * Returns false if the keeper is busy. keeper_sums_result waits until that is done. It returns 0; -EUCLEAN, if one
 * differs; or another negative errno. Then *handle is what the check of the part was given.
 */
bool keeper_sums_check(const struct content_part *part, const uint8_t hash[DIGEST_BYTES], uint32_t handle);
int keeper_sums_result(uint32_t *handle);

/**
 * keeper_dismiss tells the keeper to end and does not wait; keeper_end waits for its end. Both do nothing without a
 * keeper.
 */
void keeper_dismiss(void);
void keeper_end(void);

#endif
