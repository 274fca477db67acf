/* SPDX-License-Identifier: MIT */
/* A list of a program's requests for the host's files, in order. It is kept from one run for the next. */
#ifndef HYPERVISOR_HOST_ASKED_H
#define HYPERVISOR_HOST_ASKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/host_file.h"

#define HOST_ASKED_BYTES_MAX (4UL << 20) /* bytes of one list */
#define HOST_ASKED_GAP 0U                /* operation of a record that stands for requests that were left out */

/** A request without its handle and addresses, which can differ in another run. */
struct host_asked {
	uint32_t op;
	uint32_t root; /**< handle of the root */
	uint64_t offset;
	const char *path; /**< path of the object below the root */
	const void *key;  /**< as in struct host_file_ahead_entry */
	uint32_t key_bytes;
};

/** Zero-initialised: empty. */
struct host_asked_list {
	uint8_t *bytes;
	size_t used, room;
	bool ends_in_gap; /**< the last record is one of HOST_ASKED_GAP */
};

/** Appends a request. Does nothing if memory is short or the list is full. */
void host_asked_add(struct host_asked_list *list, const struct host_asked *asked);

/** Notes that a request is left out: appends a record of HOST_ASKED_GAP, unless the last one is one. */
void host_asked_skip(struct host_asked_list *list);

/**
 * Reads the request at *at, which is 0 for the first, and advances *at to the next one. The list owns the memory that
 * `asked` points to. Returns false at the end of the list.
 */
bool host_asked_next(const struct host_asked_list *list, size_t *at, struct host_asked *asked);

/** Whether two requests are the same. */
bool host_asked_is(const struct host_asked *a, const struct host_asked *b);

/**
 * Takes over a kept list in memory of malloc(3). Returns 0, or -EINVAL if it is malformed; the caller then still owns
 * the memory.
 */
int host_asked_adopt(struct host_asked_list *list, void *bytes, size_t count);

/** Frees the list. */
void host_asked_fini(struct host_asked_list *list);

#endif
