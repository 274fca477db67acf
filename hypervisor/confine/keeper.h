/* SPDX-License-Identifier: MIT */
/* The keeper: a process beside the monitor that does what the monitor must not do itself once a guest runs. It starts
 * the symbolizer, gives files that are complete their names, and writes the cache. This is the monitor's side. */
#ifndef HYPERVISOR_KEEPER_H
#define HYPERVISOR_KEEPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cache/scan_key.h"

/** Files that the keeper can put into place. */
enum keeper_save {
	KEEPER_SUMMARY,
	KEEPER_SCHEDULE,
	KEEPER_FILES,
	KEEPER_SAVES,
};

enum keeper_op {
	KEEPER_READY,         /**< the keeper's first message: `result` is 0, or `error` says why not */
	KEEPER_SYMBOLIZE,     /**< with an image and a file of requests; answered with a pipe */
	KEEPER_SYMBOLIZE_END, /**< not answered */
	KEEPER_COMMIT,        /**< `which` of enum keeper_save; answered */
	KEEPER_OUT,           /**< with the folder for /out; the first one counts; not answered */
	KEEPER_SET_MODE,      /**< with a folder in there, or a file without a name; answered */
	KEEPER_ATTRIBUTES,  /**< with a folder in --save's, and a name in `error`, or a file without a name; answered */
	KEEPER_CACHE_PUT,   /**< with a file of records; not answered */
	KEEPER_CACHE_TOUCH, /**< not answered */
	KEEPER_FAREWELL,    /**< the monitor ends by itself; not answered */
};

#define KEEPER_FDS 2

/** A message in either direction, with up to KEEPER_FDS descriptors (SCM_RIGHTS, unix(7)). */
struct keeper_message {
	uint32_t op; /**< enum keeper_op */
	int32_t result;
	uint32_t which; /**< enum keeper_save, enum scan_cache_kind, or a mode */
	uint32_t fd_count;
	struct scan_key key;
	uint64_t count; /**< records, or a time in nanoseconds since 1970 */
	char error[256];
};

/** Sends or receives one; those received are closed by the caller. 0, or a negative errno: -EPIPE at the end. */
int keeper_send(int socket, const struct keeper_message *message, const int *fds);
int keeper_receive(int socket, struct keeper_message *message, int fds[KEEPER_FDS]);

/** The monitor has a keeper from now on. */
void keeper_adopt(pid_t pid, int socket);

/** Waits until the keeper is ready. 0, or a negative errno with a line in error[]. */
int keeper_await(char error[256]);

/** Whether there is one: what follows is only to be called then. */
bool keeper_is_there(void);

/** The descriptor that leads to it, or -1. */
int keeper_socket(void);

/**
 * Starts the symbolizer with an image, or -1, and a file of requests. Returns a descriptor of its answers, or a
 * negative errno. Until keeper_symbolize_end there is no other one.
 */
int keeper_symbolize(int image, int requests);
void keeper_symbolize_end(void);

/** Puts a file into place, whose contents are complete. 0 or a negative errno. */
int keeper_commit(enum keeper_save which);

/** Says where /out goes, before the monitor is confined. */
void keeper_set_out(int dir);

/** Sets the permission bits of a folder beneath that, or of a file without a name. 0 or a negative errno. */
int keeper_set_mode(int fd, uint32_t mode);

/** As attributes_set, beneath the folder of --save. */
int keeper_set_attributes(int fd, const char *leaf, uint32_t mode, int64_t time_ns);

/** As scan_cache_put, and cache_touch. */
void keeper_cache_put(const struct scan_key *key, enum scan_cache_kind kind, const void *records, size_t count);
void keeper_cache_touch(const struct scan_key *key, enum scan_cache_kind kind);

/** Lets it end, without waiting; it has nothing more to do. Then waits for its end. Nothing if there is none. */
void keeper_dismiss(void);
void keeper_end(void);

#endif
