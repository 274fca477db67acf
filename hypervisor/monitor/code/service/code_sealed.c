/* SPDX-License-Identifier: MIT */
#include "code/service/code_sealed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/search.h"

_Static_assert(sizeof(struct code_sealed_points) == 24, "code_sealed_points");
_Static_assert(sizeof(struct code_sealed_head) == 48, "code_sealed_head");
_Static_assert(sizeof(struct code_sealed_packed) == 64, "code_sealed_packed");

static struct code_sealed_points take_points(const struct code_points *points)
{
	return (struct code_sealed_points){.seed = points->seed,
	                                   .shared = points->shared ? points->shared->sum : 0,
	                                   .stores = points->stores,
	                                   .atomics = points->atomics,
	                                   .loads = points->loads,
	                                   .own = points->own};
}

void code_sealed_init(struct code_sealed *sealed, const struct code_points *points)
{
	*sealed = (struct code_sealed){.version = CODE_SCAN_VERSION, .points = take_points(points)};
}

bool code_sealed_is_for(const struct code_sealed *sealed, const struct code_points *points)
{
	const struct code_sealed_points wanted = take_points(points);
	return sealed->has_ticks == points->ticks && !memcmp(&sealed->points, &wanted, sizeof(wanted));
}

static int compare(const struct code_sealed_file *file, struct code_content content, uint64_t bytes)
{
	if (file->content.high != content.high)
		return file->content.high < content.high ? -1 : 1;
	if (file->content.low != content.low)
		return file->content.low < content.low ? -1 : 1;
	return file->bytes == bytes ? 0 : file->bytes < bytes ? -1 : 1;
}

static size_t place_of(const struct code_sealed *sealed, struct code_content content, uint64_t bytes)
{
	return search_first(sealed->count, at, compare(&sealed->lists[at].file, content, bytes) < 0);
}

const struct code_sealed_list *code_sealed_find(const struct code_sealed *sealed, struct code_content content,
                                                uint64_t bytes)
{
	const size_t at = place_of(sealed, content, bytes);
	return at < sealed->count && !compare(&sealed->lists[at].file, content, bytes) ? &sealed->lists[at] : NULL;
}

const struct code_sealed_list *code_sealed_find_hash(const struct code_sealed *sealed,
                                                     const uint8_t sha256[DIGEST_BYTES])
{
	for (size_t i = 0; i < sealed->count; i++)
		if (!memcmp(sealed->lists[i].file.sha256, sha256, DIGEST_BYTES))
			return &sealed->lists[i];
	return NULL;
}

int code_sealed_note(struct code_sealed *sealed, const struct code_sealed_list *list)
{
	const struct code_sealed_file *file = &list->file;
	const size_t at = place_of(sealed, file->content, file->bytes);
	if (at < sealed->count && !compare(&sealed->lists[at].file, file->content, file->bytes))
		return 0;
	struct code_patch *copy = malloc(list->count * sizeof(*copy) + 1);
	if (!copy || !array_reserve(sealed->lists, sealed->room, sealed->count + 1)) {
		free(copy);
		return -ENOMEM;
	}
	if (list->count)
		memcpy(copy, list->patches, list->count * sizeof(*copy));
	memmove(sealed->lists + at + 1, sealed->lists + at, (sealed->count++ - at) * sizeof(*sealed->lists));
	sealed->lists[at] = (struct code_sealed_list){*file, copy, list->count};
	return 0;
}

void *code_sealed_pack(const struct code_sealed *sealed, size_t *bytes)
{
	size_t all = sizeof(struct code_sealed_head) + sealed->count * sizeof(struct code_sealed_packed);
	for (size_t i = 0; i < sealed->count; i++)
		all += sealed->lists[i].count * sizeof(struct code_patch);
	struct code_sealed_head head = {.version = sealed->version, .count = sealed->count, .points = sealed->points};
	memcpy(head.format, CODE_SEALED_MAGIC, sizeof(head.format));
	char *to = malloc(all), *at = to;
	if (!to)
		return NULL;
	at = (char *)memcpy(at, &head, sizeof(head)) + sizeof(head);
	for (size_t i = 0; i < sealed->count; i++) {
		const struct code_sealed_packed packed = {sealed->lists[i].file, sealed->lists[i].count};
		at = (char *)memcpy(at, &packed, sizeof(packed)) + sizeof(packed);
	}
	for (size_t i = 0; i < sealed->count; i++) {
		const size_t part = sealed->lists[i].count * sizeof(struct code_patch);
		at = (char *)memcpy(at, sealed->lists[i].patches, part) + part;
	}
	*bytes = all;
	return to;
}

/* Takes the lists of a set whose head is sound. Returns whether they are what follows it. */
static int take_lists(struct code_sealed *sealed, uint64_t count, const char *at, size_t left)
{
	const char *patches = at + count * sizeof(struct code_sealed_packed);
	left -= count * sizeof(struct code_sealed_packed);
	for (uint64_t i = 0; i < count; i++, at += sizeof(struct code_sealed_packed)) {
		struct code_sealed_packed packed;
		memcpy(&packed, at, sizeof(packed));
		if (packed.count > left / sizeof(struct code_patch) ||
		    (i && compare(&sealed->lists[i - 1].file, packed.file.content, packed.file.bytes) >= 0))
			return -EUCLEAN;
		const size_t part = packed.count * sizeof(struct code_patch);
		struct code_patch *copy = malloc(part + 1);
		if (!copy)
			return -ENOMEM;
		sealed->lists[sealed->count++] = (struct code_sealed_list){packed.file, copy, packed.count};
		memcpy(copy, patches, part);
		for (uint64_t k = 0; k < packed.count && !sealed->has_ticks; k++)
			sealed->has_ticks = code_is_tick(copy[k].kind);
		patches += part;
		left -= part;
	}
	return left ? -EUCLEAN : 0;
}

int code_sealed_read(struct code_sealed *sealed, const void *from, size_t bytes, struct error *error)
{
	struct code_sealed_head head = {0};
	*sealed = (struct code_sealed){0};
	if (bytes >= sizeof(head))
		memcpy(&head, from, sizeof(head));
	if (memcmp(head.format, CODE_SEALED_MAGIC, sizeof(head.format)))
		return error_set(error, EUCLEAN, "its patches do not begin with '" CODE_SEALED_MAGIC "'");
	if (head.zero || head.points.zero || head.count > (bytes - sizeof(head)) / sizeof(struct code_sealed_packed))
		return error_set(error, EUCLEAN, "its patches have an impossible head");
	sealed->version = head.version;
	sealed->points = head.points;
	sealed->lists = calloc(head.count + 1, sizeof(*sealed->lists));
	int result = !sealed->lists
	                     ? -ENOMEM
	                     : take_lists(sealed, head.count, (const char *)from + sizeof(head), bytes - sizeof(head));
	if (!result)
		return 0;
	code_sealed_fini(sealed);
	return result == -ENOMEM ? error_set(error, ENOMEM, "its patches do not fit into memory")
	                         : error_set(error, EUCLEAN, "its patches are not lists in order, one for each file");
}

void code_sealed_fini(struct code_sealed *sealed)
{
	for (size_t i = 0; i < sealed->count; i++)
		free(sealed->lists[i].patches);
	free(sealed->lists);
	*sealed = (struct code_sealed){0};
}
