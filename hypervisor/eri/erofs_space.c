/* SPDX-License-Identifier: MIT */
#include "eri/erofs_space.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "eri/erofs_compressed.h"

#define BLOCK EROFS_FILE_BLOCK
#define SUPER_OFFSET 1024
#define SUPER_BYTES 128
#define NID_BYTES 32UL

static int add_space_part(struct erofs_space *space, uint64_t start, uint64_t end)
{
	struct erofs_used *last = space->count ? &space->parts[space->count - 1] : NULL;
	if (last && last->end == start) { /* as most blocks of compressed data do */
		last->end = end;
		return 0;
	}
	if (!array_reserve(space->parts, space->room, space->count + 1))
		return -ENOMEM;
	space->parts[space->count++] = (struct erofs_used){start, end};
	return 0;
}

static int add_block(void *context, uint64_t start)
{
	return add_space_part(context, start, start + BLOCK);
}

int erofs_space_add(struct erofs_space *space, const struct erofs_file *file, const struct erofs_node *node)
{
	const uint64_t inode = file->meta + node->nid * NID_BYTES;
	if (!space->seen && !(space->seen = calloc(file->bytes / NID_BYTES / 8 + 1, 1)))
		return -ENOMEM;
	uint8_t *seen = &space->seen[node->nid / 8], bit = (uint8_t)(1U << node->nid % 8);
	if (*seen & bit)
		return 0;
	*seen |= bit;
	if (node->layout == EROFS_FILE_COMPRESSED) {
		/* Behind the index, up to the next inode, mkfs.erofs 1.8 leaves what it wrote there before. */
		const uint64_t end = (erofs_compressed_index_end(node) + NID_BYTES - 1) / NID_BYTES * NID_BYTES;
		int result = add_space_part(space, inode, end);
		return result ? result : erofs_compressed_blocks(file, node, add_block, space);
	}
	const uint64_t before = erofs_file_bytes_before_tail(node);
	int result = add_space_part(space, inode, node->tail + node->size - before);
	return result || !before ? result : add_space_part(space, node->at, node->at + before);
}

static int by_start(const void *left, const void *right)
{
	const struct erofs_used *a = left, *b = right;
	return (a->start > b->start) - (a->start < b->start);
}

static bool is_zero_space(const uint8_t *data, uint64_t bytes)
{
	return !bytes || (!*data && !memcmp(data, data + 1, bytes - 1));
}

int erofs_space_check(struct erofs_space *space, const struct erofs_file *file)
{
	uint64_t at = 0;
	int result = add_space_part(space, SUPER_OFFSET, SUPER_OFFSET + SUPER_BYTES);
	if (result)
		return result;
	qsort(space->parts, space->count, sizeof(*space->parts), by_start);
	for (size_t i = 0; i <= space->count; i++) {
		const uint64_t start = i < space->count ? space->parts[i].start : (at + BLOCK - 1) / BLOCK * BLOCK;
		if (start > file->bytes || (start > at && !is_zero_space(file->data + at, start - at)))
			return -EUCLEAN;
		if (i < space->count && space->parts[i].end > at)
			at = space->parts[i].end;
	}
	return (at + BLOCK - 1) / BLOCK * BLOCK == file->bytes ? 0 : -EUCLEAN;
}

void erofs_space_fini(struct erofs_space *space)
{
	free(space->parts);
	free(space->seen);
	*space = (struct erofs_space){0};
}
