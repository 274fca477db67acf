/* SPDX-License-Identifier: MIT */
/* Contents of host files that a guest sees as read-only memory (HOST_FILE_SHOW): the files themselves, or copies in a
 * file in memory. */
#ifndef HYPERVISOR_GUEST_CONTENTS_H
#define HYPERVISOR_GUEST_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "guest/host_memory.h"

/** The content of one file. */
struct guest_content {
	uint64_t address; /**< guest-physical */
	uint64_t bytes;
	uint32_t handle;   /**< of the object in host_files */
	const uint8_t *at; /**< where the monitor has it mapped */
	bool has_keyed, has_hash;
	uint64_t keyed[2];          /**< with has_keyed: XXH3-128 by the cache's secret: low, high */
	uint8_t hash[DIGEST_BYTES]; /**< with has_hash: SHA-256 */
};

/** Files of the newest contents stay open, so that their pages can be read without mapping each. A kernel copies the
 * pages with patches of a library right after it was shown. */
#define GUEST_CONTENTS_OPEN 8

/** A file that stays open. */
struct guest_content_file {
	int file;              /**< -1: none */
	bool is_own;           /**< it is closed with the entry */
	uint64_t address, end; /**< of its content */
	uint64_t offset;       /**< of the content in the file */
};

/** All contents that a guest sees, in the order of their addresses. */
struct guest_contents {
	struct guest_content *list;
	size_t count, room;
	int file;                 /**< with the copies in memory, one behind another */
	uint64_t end, file_bytes; /**< the size of these copies, and the room in the file */
	bool file_is_used;        /**< for host_memory.is_used: this structure keeps the file open */
	struct guest_content_file open[GUEST_CONTENTS_OPEN]; /**< content i has entry i modulo their number, if any */
	size_t open_count;                                   /**< entries that were ever used */
	/** Shows a part of a file to the guest, as engine_ops.map does. Returns 0; or a negative errno: -ENFILE if the
	 * engine has no room for a further file. */
	int (*show)(void *engine, uint64_t address, const struct host_memory *memory, uint64_t offset, uint64_t bytes);
	/** Does what engine_ops.fill says, or NULL. */
	void (*fill)(void *engine, uint64_t address, uint64_t bytes, int file, uint64_t offset);
	uint64_t code_filled; /**< bytes of code that `fill` was called for (content_loading.h) */
	void *engine;         /**< the first argument of `show` and `fill` */
};

/** Makes the file for copies in memory. Called before the monitor is confined. Returns 0 or a negative errno. */
int guest_contents_init(struct guest_contents *contents);

/**
 * Shows a file, open as `fd`, from `offset` on, a multiple of PAGE_SIZE, to the guest at content->address, which is
 * behind all others. Returns 0, or a negative errno; then nothing is shown. The caller closes the descriptor.
 */
int guest_contents_add_file(struct guest_contents *contents, const struct guest_content *content, int fd,
                            uint64_t offset);

/**
 * Begins a copy in memory of content->bytes bytes. Returns memory to write it to, or NULL with errno.
 * guest_contents_end_copy shows it to the guest, or, with an error, drops it. That returns 0 or a negative errno.
 */
void *guest_contents_begin_copy(struct guest_contents *contents, uint64_t bytes);
int guest_contents_end_copy(struct guest_contents *contents, const struct guest_content *content, void *copy,
                            int error);

/** Finds the content at a guest-physical address, or NULL. */
const struct guest_content *guest_contents_find(const struct guest_contents *contents, uint64_t address);

/** Returns a pointer, for reading only, to [address, address + bytes), or NULL if no content has all of it. A content
 * has whole pages. */
const void *guest_contents_at(const struct guest_contents *contents, uint64_t address, uint64_t bytes);

/** Has a range of a content filled (engine_ops.fill), if its file is still open. */
void guest_contents_fill(const struct guest_contents *contents, uint64_t address, uint64_t bytes);

/** Copies [address, address + bytes) of a content to `to`. Returns whether one content has all of it. */
bool guest_contents_copy(const struct guest_contents *contents, uint64_t address, uint64_t bytes, void *to);

/** The first address behind all contents. */
uint64_t guest_contents_end(const struct guest_contents *contents);

/** Unmaps and frees everything. Called after the guest has ended. */
void guest_contents_fini(struct guest_contents *contents);

#endif
