/* SPDX-License-Identifier: MIT */
/* Requests are packed one after another, each at a multiple of ALIGN bytes. A kept list is checked completely before it
 * is used. */
#include "hostfs/host_asked.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define ALIGN 16UL /* bytes; the cache keeps records of this size */

/* Head of a packed request. The path with its NUL, and the key, follow it. */
struct packed {
	uint32_t op, root;
	uint64_t offset;
	uint32_t path_bytes, key_bytes;
};

static size_t packed_bytes(const struct packed *packed)
{
	return (sizeof(*packed) + packed->path_bytes + packed->key_bytes + ALIGN - 1) & ~(ALIGN - 1);
}

void host_asked_add(struct host_asked_list *list, const struct host_asked *asked)
{
	const struct packed packed = {.op = asked->op,
	                              .root = asked->root,
	                              .offset = asked->offset,
	                              .path_bytes = (uint32_t)strlen(asked->path) + 1,
	                              .key_bytes = asked->key_bytes};
	size_t bytes = packed_bytes(&packed);
	if (bytes > HOST_ASKED_BYTES_MAX - list->used)
		return;
	if (!array_reserve(list->bytes, list->room, list->used + bytes))
		return;
	uint8_t *to = list->bytes + list->used;
	memset(to, 0, bytes);
	memcpy(to, &packed, sizeof(packed));
	memcpy(to + sizeof(packed), asked->path, packed.path_bytes);
	if (asked->key_bytes)
		memcpy(to + sizeof(packed) + packed.path_bytes, asked->key, asked->key_bytes);
	list->used += bytes;
	list->ends_in_gap = asked->op == HOST_ASKED_GAP;
}

void host_asked_skip(struct host_asked_list *list)
{
	static const struct host_asked gap = {.op = HOST_ASKED_GAP, .path = ""};
	if (!list->ends_in_gap)
		host_asked_add(list, &gap);
}

bool host_asked_next(const struct host_asked_list *list, size_t *at, struct host_asked *asked)
{
	struct packed packed;
	if (*at >= list->used)
		return false;
	const uint8_t *from = list->bytes + *at;
	memcpy(&packed, from, sizeof(packed));
	*asked = (struct host_asked){
		.op = packed.op,
		.root = packed.root,
		.offset = packed.offset,
		.path = (const char *)from + sizeof(packed),
		.key = from + sizeof(packed) + packed.path_bytes,
		.key_bytes = packed.key_bytes,
	};
	*at += packed_bytes(&packed);
	return true;
}

bool host_asked_is(const struct host_asked *a, const struct host_asked *b)
{
	return a->op == b->op && a->root == b->root && a->offset == b->offset && a->key_bytes == b->key_bytes &&
	       (!a->key_bytes || !memcmp(a->key, b->key, a->key_bytes)) && !strcmp(a->path, b->path);
}

/* Whether `left` bytes begin with a well-formed packed request. */
static bool is_packed(const uint8_t *from, size_t left)
{
	struct packed packed;
	if (left < sizeof(packed))
		return false;
	memcpy(&packed, from, sizeof(packed));
	if (!packed.path_bytes || packed.path_bytes > PATH_MAX || packed.key_bytes > HOST_FILE_LOOKS_MAX * 32 ||
	    packed_bytes(&packed) > left)
		return false;
	const uint8_t *path = from + sizeof(packed), *key = path + packed.path_bytes;
	bool is_look = packed.op == HOST_FILE_LOOK;
	return memchr(path, 0, packed.path_bytes) == key - 1 &&
	       (!is_look || (packed.key_bytes && memchr(key, 0, packed.key_bytes) == key + packed.key_bytes - 1 &&
	                     packed.key_bytes <= sizeof(((struct host_file_request *)0)->name)));
}

int host_asked_adopt(struct host_asked_list *list, void *bytes, size_t count)
{
	struct packed packed;
	for (size_t at = 0; at < count; at += packed_bytes(&packed)) {
		if (!is_packed((uint8_t *)bytes + at, count - at))
			return -EINVAL;
		memcpy(&packed, (uint8_t *)bytes + at, sizeof(packed));
	}
	host_asked_fini(list);
	*list = (struct host_asked_list){.bytes = bytes, .used = count, .room = count};
	return 0;
}

void host_asked_fini(struct host_asked_list *list)
{
	free(list->bytes);
	*list = (struct host_asked_list){0};
}
