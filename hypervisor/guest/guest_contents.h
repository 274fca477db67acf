/* SPDX-License-Identifier: MIT */
/* Contents of host files that a guest sees as read-only memory (HOST_FILE_SHOW). Each is a file of its own: a copy that
 * nobody changes. */
#ifndef HYPERVISOR_GUEST_CONTENTS_H
#define HYPERVISOR_GUEST_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache/cache_seal.h"
#include "guest/host_memory.h"

/** The content of one file. */
struct guest_content {
	uint64_t address; /**< guest-physical */
	uint64_t bytes;
	uint32_t handle;    /**< of the object in host_files */
	const uint8_t *at;  /**< where the monitor has it mapped */
	int fd;             /**< the file that holds it from offset 0; owned */
	uint64_t hash[2];   /**< XXH3-128 by the cache's secret: low, high */
	bool is_stored;         /**< it is a copy in the cache */
	struct cache_seal seal; /**< then: of the copy */
};

/** All contents that a guest sees, in the order of their addresses. Zero-initialised: none. */
struct guest_contents {
	struct guest_content *list;
	size_t count, room;
	/** Shows pages of a file to the guest, as engine_ops.map does. Returns 0 or a negative errno. */
	int (*show)(void *engine, uint64_t address, const struct host_memory *memory, uint64_t bytes);
	void *engine; /**< the first argument of `show` */
};

/**
 * Shows a file's `bytes` bytes to the guest at content->address, which is behind all others. Takes over the descriptor on
 * success. Returns 0 or a negative errno.
 */
int guest_contents_add(struct guest_contents *contents, const struct guest_content *content);

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
