/* SPDX-License-Identifier: MIT */
/* A list of what a program asked for of the host's files, in order, which is kept from one run for the next. */
#ifndef HYPERVISOR_HOST_ASKED_H
#define HYPERVISOR_HOST_ASKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/host_file.h"

#define HOST_ASKED_BYTES_MAX (4UL << 20) /* of one list */

/** A request without its handle and addresses, which another run may have others of. */
struct host_asked {
	uint32_t op;
	uint32_t root; /**< handle */
	uint64_t offset;
	const char *path; /**< of the object below the root */
	const void *key;  /**< as struct host_file_ahead_entry has it */
	uint32_t key_bytes;
};

/** Zero-initialised: empty. */
struct host_asked_list {
	uint8_t *bytes;
	size_t used, room;
};

/** Adds a request. Nothing is added without memory, or to a list that is full. */
void host_asked_add(struct host_asked_list *list, const struct host_asked *asked);

/**
 * The request at *at, which is 0 for the first, and moves *at to the next one. What it points to is the list's. False:
 * there is none.
 */
bool host_asked_next(const struct host_asked_list *list, size_t *at, struct host_asked *asked);

/** Whether two requests are the same. */
bool host_asked_is(const struct host_asked *a, const struct host_asked *b);

/** Takes a list as it was kept, in memory of malloc(3). 0, or -EINVAL when it is none; it stays the caller's then. */
int host_asked_adopt(struct host_asked_list *list, void *bytes, size_t count);

/** Frees it. */
void host_asked_fini(struct host_asked_list *list);

#endif
