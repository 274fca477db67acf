/* SPDX-License-Identifier: MIT */
/* Compressed contents are a sequence of extents. Each has its data in one block, either compressed by LZ4 or as they
 * are. The index has an entry for each block of contents (a cluster), which tells where in it an extent begins, or how
 * many clusters before it one did. The entries may be any numbers: an extent is taken only if it is not longer than a
 * block can be when it is decompressed, which bounds the loops and the memory. */
#include "eri/erofs_compressed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "library/lz4.h"

#define BLOCK EROFS_FILE_BLOCK
#define INDEX_HEADER 16UL          /* Linux: Z_EROFS_VLE_LEGACY_INDEX_ALIGN; its fields are for other layouts */
#define CLUSTERS_MAX 256UL         /* LZ4 makes at most 255 bytes of one, and an extent may begin within a cluster */
#define EXTENT_MAX (255UL * BLOCK) /* the most that a block decompresses to */

enum kind {
	KIND_PLAIN = 0,
	KIND_LZ4 = 1,
	KIND_LATER = 2, /* no extent begins in the cluster */
};

struct entry {
	uint16_t kind;  /* enum kind */
	uint16_t start; /* of an extent in the cluster, below 4096 */
	union {
		uint32_t block;  /* number of the block with the data */
		uint16_t before; /* KIND_LATER: how many clusters before it began, or fewer */
	};
};

_Static_assert(sizeof(struct entry) == 8, "entry");

/* Contents from start to end, all with their data in one block. */
struct extent {
	uint64_t start;
	uint64_t end;
	const uint8_t *data; /* BLOCK bytes */
	bool plain;
};

static uint64_t cluster_count(const struct erofs_node *node)
{
	return (node->size + BLOCK - 1) / BLOCK;
}

int erofs_compressed_node(const struct erofs_file *file, struct erofs_node *node)
{
	node->tail =
		(node->tail + sizeof(struct entry) - 1) / sizeof(struct entry) * sizeof(struct entry) + INDEX_HEADER;
	return erofs_file_bytes(file, node->tail, cluster_count(node) * sizeof(struct entry)) ? 0 : -EUCLEAN;
}

static int read_cluster_entry(const struct erofs_file *file, const struct erofs_node *node, uint64_t cluster,
                              struct entry *entry)
{
	const uint8_t *at = erofs_file_bytes(file, node->tail + cluster * sizeof(*entry), sizeof(*entry));
	if (!at)
		return -EUCLEAN;
	memcpy(entry, at, sizeof(*entry));
	return entry->kind <= KIND_LATER && (entry->kind == KIND_LATER || entry->start < BLOCK) ? 0 : -EUCLEAN;
}

/* Finds the cluster in which the extent with the contents at an offset begins, and its entry. */
static int find_start(const struct erofs_file *file, const struct erofs_node *node, uint64_t offset, uint64_t *cluster,
                      struct entry *entry)
{
	const uint64_t first = offset / BLOCK;
	*cluster = first;
	int error = read_cluster_entry(file, node, first, entry);
	uint64_t back = 0;
	if (!error && entry->kind != KIND_LATER)
		back = entry->start > offset % BLOCK;
	else
		back = entry->before;
	while (!error && (back || entry->kind == KIND_LATER)) {
		if (!back || back > *cluster || first - (*cluster - back) > CLUSTERS_MAX)
			return -EUCLEAN;
		*cluster -= back;
		error = read_cluster_entry(file, node, *cluster, entry);
		back = !error && entry->kind == KIND_LATER ? entry->before : 0;
	}
	return error;
}

/* Finds the extent with the contents at an offset, which is below the size. */
static int find_extent(const struct erofs_file *file, const struct erofs_node *node, uint64_t offset,
                       struct extent *extent)
{
	struct entry entry, next = {.kind = KIND_LATER};
	uint64_t cluster;
	int error = find_start(file, node, offset, &cluster, &entry);
	if (error)
		return error;
	extent->start = cluster * BLOCK + entry.start;
	extent->end = node->size;
	for (uint64_t i = cluster + 1; i < cluster_count(node) && next.kind == KIND_LATER; i++) {
		error = i - cluster > CLUSTERS_MAX ? -EUCLEAN : read_cluster_entry(file, node, i, &next);
		if (error)
			return error;
		if (next.kind != KIND_LATER)
			extent->end = i * BLOCK + next.start;
	}
	if (extent->end > node->size)
		extent->end = node->size;
	extent->plain = entry.kind == KIND_PLAIN;
	extent->data = erofs_file_bytes(file, entry.block * BLOCK, BLOCK);
	if (!extent->data || offset < extent->start || offset >= extent->end ||
	    extent->end - extent->start > (extent->plain ? BLOCK : EXTENT_MAX))
		return -EUCLEAN;
	return 0;
}

/* Decompresses the first `bytes` bytes of an extent. */
static int decompress(const struct erofs_file *file, const struct extent *extent, uint8_t *to, uint64_t bytes)
{
	uint8_t block[BLOCK]; /* a copy: LZ4 may read a byte twice, and another process may write to the image */
	uint64_t skip = 0;
	memcpy(block, extent->data, BLOCK);
	while (file->padded && skip < BLOCK && !block[skip])
		skip++;
	/* A match of invalid data may be what was in the memory before. */
	memset(to, 0, bytes);
	/* A block without padding in front may hold more than the extent, or zeros behind its data. */
	int got = lz4.decompress_safe_partial((const char *)block + skip, (char *)to, (int)(BLOCK - skip), (int)bytes,
	                                      (int)bytes);
	return got == (int)bytes ? 0 : -EUCLEAN;
}

/* Copies `bytes` bytes of an extent, after the first `skip`. */
static int read_extent(const struct erofs_file *file, const struct extent *extent, uint8_t *to, uint64_t bytes,
                       uint64_t skip)
{
	if (extent->plain) {
		memcpy(to, extent->data + skip, bytes);
		return 0;
	}
	if (!skip)
		return decompress(file, extent, to, bytes);
	uint8_t *all = malloc(skip + bytes);
	if (!all)
		return -ENOMEM;
	int error = decompress(file, extent, all, skip + bytes);
	if (!error)
		memcpy(to, all + skip, bytes);
	free(all);
	return error;
}

int erofs_compressed_read(const struct erofs_file *file, const struct erofs_node *node, uint8_t *to, uint64_t bytes,
                          uint64_t offset)
{
	if (bytes && !lz4.decompress_safe_partial)
		return -ELIBACC;
	for (uint64_t done = 0; done < bytes;) {
		struct extent extent;
		const uint64_t at = offset + done;
		int error = find_extent(file, node, at, &extent);
		if (error)
			return error;
		uint64_t part = extent.end - at < bytes - done ? extent.end - at : bytes - done;
		error = read_extent(file, &extent, to + done, part, at - extent.start);
		if (error)
			return error;
		done += part;
	}
	return 0;
}

uint64_t erofs_compressed_index_end(const struct erofs_node *node)
{
	return node->tail + cluster_count(node) * sizeof(struct entry);
}

int erofs_compressed_blocks(const struct erofs_file *file, const struct erofs_node *node,
                            int (*each)(void *context, uint64_t start), void *context)
{
	struct entry entry;
	int result = 0;
	for (uint64_t i = 0; i < cluster_count(node) && !result; i++) {
		result = read_cluster_entry(file, node, i, &entry);
		/* Block 0 has the superblock: mkfs.erofs leaves some entries at 0. */
		if (!result && entry.kind != KIND_LATER && entry.block)
			result = erofs_file_bytes(file, entry.block * BLOCK, BLOCK) ? each(context, entry.block * BLOCK)
			                                                            : -EUCLEAN;
	}
	return result;
}
