/* SPDX-License-Identifier: MIT */
/* Contents of host files that a guest sees as read-only memory (HOST_FILE_SHOW): copies in the cache, or in a file in
 * memory. Nobody changes them while the guest runs. */
#ifndef HYPERVISOR_GUEST_CONTENTS_H
#define HYPERVISOR_GUEST_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest/content_store.h"
#include "guest/host_memory.h"

/** The content of one file. */
struct guest_content {
	uint64_t address; /**< guest-physical */
	uint64_t bytes;
	uint32_t handle;              /**< of the object in host_files */
	const uint8_t *at;            /**< where the monitor has it mapped */
	uint64_t keyed[2];            /**< XXH3-128 by the cache's secret: low, high */
	struct content_seal stored;   /**< of a copy in the cache; without a name for one in memory */
};

/** All contents that a guest sees, in the order of their addresses. Zero-initialised, but for `show`: none. */
struct guest_contents {
	struct guest_content *list;
	size_t count, room;
	int file;        /**< the copies in memory, one behind another; 0: none yet */
	uint64_t end;    /**< their size */
	bool file_is_used; /**< for host_memory.is_used: this structure keeps the file open */
	/** Shows a part of a file to the guest, as engine_ops.map does. Returns 0; or a negative errno: -ENFILE if the
	 * engine has no room for a further file. */
	int (*show)(void *engine, uint64_t address, const struct host_memory *memory, uint64_t offset, uint64_t bytes);
	void *engine; /**< the first argument of `show` */
};

/**
 * Shows a copy in the cache, open as `fd`, to the guest at content->address, which is behind all others. Returns 0, or a
 * negative errno as `show` does. The caller closes the descriptor.
 */
int guest_contents_add_stored(struct guest_contents *contents, const struct guest_content *content, int fd);

/**
 * Begins a copy in memory of content->bytes bytes. Returns a descriptor, which stays the structure's, and in *offset
 * where to write to it; or a negative errno. guest_contents_add_copy then shows the copy.
 */
int guest_contents_begin_copy(struct guest_contents *contents, uint64_t bytes, uint64_t *offset);
int guest_contents_add_copy(struct guest_contents *contents, const struct guest_content *content, uint64_t offset);

/** Finds the content at a guest-physical address, or NULL. */
const struct guest_content *guest_contents_find(const struct guest_contents *contents, uint64_t address);

/** Returns a pointer, for reading only, to [address, address + bytes), or NULL if no content has all of it. A content
 * has whole pages. */
const void *guest_contents_at(const struct guest_contents *contents, uint64_t address, uint64_t bytes);

/** The first address behind all contents. */
uint64_t guest_contents_end(const struct guest_contents *contents);

/** Unmaps and frees everything. Called after the guest has ended. */
void guest_contents_fini(struct guest_contents *contents);

#endif
