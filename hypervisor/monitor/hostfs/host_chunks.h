/* SPDX-License-Identifier: MIT */
/* Large files of the host, which a guest reads in chunks. The hash of each chunk is kept from its first load, and later
 * loads must have the same hash. If the hash of the whole file is wanted, a second thread computes it while the guest
 * runs. The loaded chunks must then be parts of the file that was hashed. */
#ifndef HYPERVISOR_HOST_CHUNKS_H
#define HYPERVISOR_HOST_CHUNKS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct host_files;
struct host_chunked;
struct host_source;

/** Zero-initialised: no large files. */
struct host_chunks {
	struct host_chunked **files; /**< in the order in which they were first read */
	uint32_t count;
	size_t room;
	uint32_t next;            /**< first file that the thread has not begun */
	bool running;             /**< the thread exists */
	bool end;                 /**< the thread must end, whatever is left */
	bool (*is_stopped)(void); /**< as in host_files; set before the thread starts */
	pthread_t thread;
	pthread_mutex_t lock; /**< protects the members above while the thread runs */
	pthread_cond_t changed;
};

/**
 * Notes that a chunk of a file was read from its opened contents, and had this hash. Returns 0, or a negative errno
 * with a line in files->error: the chunk has changed, or there is no memory.
 */
int64_t host_chunks_loaded(struct host_files *files, uint32_t handle, uint64_t index, XXH128_hash_t hash,
                           const struct host_source *source);

/** Waits until all large files that were read are hashed, or the run is stopped. Returns 0 or a negative errno, as
 * host_chunks_finish then does. */
int host_chunks_hash(struct host_files *files);

/** Notes all large files that were read, at the end of a run. Waits for their hashes, if these are wanted. Returns 0,
 * or a negative errno with a line in files->error: a file has changed. */
int host_chunks_finish(struct host_files *files);

/** Ends the thread and frees everything. */
void host_chunks_fini(struct host_chunks *chunks);

#endif
