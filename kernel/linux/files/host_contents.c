/* SPDX-License-Identifier: MIT */
#include "kernel/linux/files/host_contents.h"

#include "abi/errno.h"
#include "kernel/arch/direct_map.h"
#include "kernel/lib/bug.h"
#include "kernel/linux/files/host_request.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/vm.h"

/* Contents may fill 1/CACHE_SHARE of memory. */
#define CACHE_SHARE 4
/* Bytes that contents of whole files may have when another one is loaded, without mapped ones. A program that reads a
 * large tree once then uses the same memory again and again; reading more of it from the host costs more than reading a
 * file twice. */
#define WHOLE_BYTES 0x4000000UL
/* The chunks used last are never freed, since a pointer into them may be in use: a call copies from one chunk to
 * another, and a page fault of the copy uses a third. */
#define IN_USE 3

struct host_chunk {
	struct host_contents *of;
	uint64_t index;
	struct host_file_piece *pieces; /* its memory, in order: 2 MiB blocks, or less than one */
	uint32_t piece_count;
	struct host_chunk *next, *prev; /* in the order of use */
};

/* Loaded chunks, the one that was used last at the end. */
struct chunk_list {
	struct host_chunk *first, *last;
	uint64_t pages;
};

bool host_contents_is_observed;
static struct chunk_list wholes, parts; /* chunks that are a whole file; and those of large files */

static bool is_large_file(const struct host_contents *contents)
{
	return contents->bytes > HOST_FILE_WHOLE_MAX;
}

/* The chunk that a byte is in. */
static uint64_t index_of(const struct host_contents *contents, uint64_t offset)
{
	return is_large_file(contents) ? offset / HOST_FILE_CHUNK_BYTES : 0;
}

/* Where a chunk begins in the file. */
static uint64_t start_of(uint64_t index)
{
	return index * HOST_FILE_CHUNK_BYTES;
}

static uint64_t chunk_bytes(const struct host_contents *contents, uint64_t index)
{
	uint64_t left = contents->bytes - start_of(index);
	return is_large_file(contents) && left > HOST_FILE_CHUNK_BYTES ? HOST_FILE_CHUNK_BYTES : left;
}

static uint64_t pages_of(uint64_t bytes)
{
	return (bytes + PAGE_SIZE - 1) / PAGE_SIZE;
}

/* --- the order of use --- */

static struct chunk_list *chunk_list_of(const struct host_chunk *chunk)
{
	return is_large_file(chunk->of) ? &parts : &wholes;
}

static void take_out_chunk(struct host_chunk *chunk)
{
	struct chunk_list *list = chunk_list_of(chunk);
	*(chunk->prev ? &chunk->prev->next : &list->first) = chunk->next;
	*(chunk->next ? &chunk->next->prev : &list->last) = chunk->prev;
}

static void put_last(struct host_chunk *chunk)
{
	struct chunk_list *list = chunk_list_of(chunk);
	chunk->next = NULL;
	chunk->prev = list->last;
	*(list->last ? &list->last->next : &list->first) = chunk;
	list->last = chunk;
}

/* --- memory --- */

static void free_piece(const struct host_file_piece *piece)
{
	const uint64_t pages = pages_of(piece->bytes), blocks = pages / (BLOCK_SIZE / PAGE_SIZE);
	if (blocks)
		frame_free_blocks(piece->address, blocks);
	for (uint64_t i = 0; !blocks && i < pages; i++)
		frame_free(piece->address + i * PAGE_SIZE);
}

static void free_chunk(struct host_chunk *chunk)
{
	while (chunk->piece_count)
		free_piece(&chunk->pieces[--chunk->piece_count]);
	kfree(chunk->pieces);
	kfree(chunk);
}

/* Allocates up to `pages` pages in one piece: blocks, or less than one. Returns their number. */
static uint64_t allocate_piece(uint64_t pages, uint64_t *address)
{
	const uint64_t in_block = BLOCK_SIZE / PAGE_SIZE;
	for (uint64_t blocks = pages / in_block; blocks; blocks /= 2) {
		*address = frame_alloc_blocks(blocks);
		if (*address)
			return blocks * in_block;
	}
	for (uint64_t run = pages < in_block ? pages : in_block - 1; run; run /= 2) {
		*address = frame_alloc_run(run);
		if (*address)
			return run;
	}
	return 0;
}

/* Allocates the memory of a chunk. Returns 0 or -ENOMEM. */
static int allocate_chunk(struct host_chunk *chunk, uint64_t left)
{
	uint32_t room = 2;
	chunk->pieces = kmalloc(room * sizeof(*chunk->pieces)); /* also for an empty file: a request has a list */
	if (!chunk->pieces)
		return -ENOMEM;
	*chunk->pieces = (struct host_file_piece){0};
	while (left) {
		if (chunk->piece_count == room) {
			room = 2 * room;
			struct host_file_piece *grown = krealloc(chunk->pieces, room * sizeof(*grown));
			if (!grown)
				return -ENOMEM;
			chunk->pieces = grown;
		}
		struct host_file_piece *piece = &chunk->pieces[chunk->piece_count];
		if (chunk->piece_count == HOST_FILE_PIECES_MAX)
			return -ENOMEM;
		const uint64_t bytes = PAGE_SIZE * allocate_piece(pages_of(left), &piece->address);
		if (!bytes)
			return -ENOMEM;
		piece->bytes = bytes < left ? bytes : left;
		chunk->piece_count++;
		left -= piece->bytes;
	}
	return 0;
}

/* Frees a chunk to which no pointer refers. Its pages vanish from mappings; private copies of them stay. */
static void forget_chunk(struct host_chunk *chunk)
{
	struct host_contents *contents = chunk->of;
	uint64_t pages = pages_of(chunk_bytes(contents, chunk->index)), first = start_of(chunk->index) / PAGE_SIZE;
	if (contents->inode->data.mappings)
		vm_zap(contents->inode, first, first + pages, false);
	contents->chunks[chunk->index] = NULL;
	take_out_chunk(chunk);
	chunk_list_of(chunk)->pages -= pages;
	free_chunk(chunk);
}

/* Frees the least recently used chunks of a list until it has at most `pages` pages. Chunks that are mapped are freed
 * only if `mapped`. Pinned chunks are never freed. */
static void shrink_list(struct chunk_list *list, uint64_t pages, bool mapped)
{
	const struct host_chunk *end = list->last;
	for (unsigned i = 1; end && i < IN_USE; i++)
		end = end->prev;
	for (struct host_chunk *at = list->first, *next; end && at != end && list->pages > pages; at = next) {
		const struct inode *inode = at->of->inode;
		next = at->next;
		if (!inode->data.pinned && (mapped || !inode->data.mappings))
			forget_chunk(at);
	}
}

static uint64_t beyond(uint64_t pages, uint64_t others)
{
	return pages > others ? pages - others : 0;
}

/* Frees chunks until all together have at most `pages` pages. Chunks that are mapped come last, and only those of large
 * files are freed. */
static void shrink(uint64_t pages)
{
	shrink_list(&wholes, beyond(pages, parts.pages), false);
	shrink_list(&parts, beyond(pages, wholes.pages), false);
	shrink_list(&parts, beyond(pages, wholes.pages), true);
}

/* --- loading --- */

static uint64_t count_of(const struct host_contents *contents)
{
	return contents->bytes ? index_of(contents, contents->bytes - 1) + 1 : 1;
}

/* Makes a chunk without contents; frees others if needed. NULL without memory. */
static struct host_chunk *make_chunk(struct host_contents *contents, uint64_t index)
{
	const uint64_t bytes = chunk_bytes(contents, index), pages = pages_of(bytes),
		       limit = frame_total_bytes() / PAGE_SIZE / CACHE_SHARE;
	if (!contents->chunks) {
		contents->chunks = kzalloc(count_of(contents) * sizeof(struct host_chunk *));
		if (!contents->chunks)
			return NULL;
	}
	shrink(beyond(limit, pages));
	if (!is_large_file(contents))
		shrink_list(&wholes, beyond(WHOLE_BYTES / PAGE_SIZE, pages), false);
	for (int attempt = 0; attempt < 2; attempt++) {
		struct host_chunk *chunk = kzalloc(sizeof(*chunk));
		if (chunk) {
			*chunk = (struct host_chunk){.of = contents, .index = index};
			if (!allocate_chunk(chunk, bytes))
				return chunk;
			free_chunk(chunk);
		}
		shrink(0);
	}
	return NULL;
}

/* Keeps a chunk after its request, or frees it. Returns 0 or the error of the request. */
static int keep_chunk(struct host_chunk *chunk, int64_t answer)
{
	if (answer < 0) {
		free_chunk(chunk);
		return (int)answer;
	}
	chunk->of->chunks[chunk->index] = chunk;
	chunk_list_of(chunk)->pages += pages_of(chunk_bytes(chunk->of, chunk->index));
	put_last(chunk);
	return 0;
}

/* --- contents that the monitor shows --- */

static uint64_t shown_bytes; /* of LAYOUT_CONTENTS, used so far */
static unsigned shown_files;

/* Has the monitor show a file. Together, shown files have at most as many bytes as memory, because the monitor may need
 * memory for them. Returns 0, -EBUSY if the file is to be loaded, or another negative errno. */
static int show_contents(struct host_contents *contents)
{
	const uint64_t bytes = (contents->bytes + BLOCK_SIZE - 1) & ~(BLOCK_SIZE - 1),
		       limit = frame_total_bytes() < LAYOUT_CONTENTS_SIZE ? frame_total_bytes() : LAYOUT_CONTENTS_SIZE;
	if (contents->bytes <= HOST_FILE_SHOWN_MIN || contents->bytes > HOST_FILE_SHOWN_MAX ||
	    shown_files == HOST_FILE_SHOWN_FILES || shown_bytes + bytes > limit)
		return -EBUSY;
	host_request->offset = 0;
	int64_t result =
		host_request_send(HOST_FILE_SHOW, contents->handle, LAYOUT_CONTENTS + shown_bytes, contents->bytes);
	if (result)
		return (int)result;
	contents->shown = LAYOUT_CONTENTS + shown_bytes;
	shown_bytes += bytes;
	shown_files++;
	return 0;
}

static void map_shown(const struct host_contents *contents, uint64_t offset, const void **data, size_t *bytes)
{
	uint64_t left = pages_of(contents->bytes) * PAGE_SIZE - offset;
	*data = (uint8_t *)phys_to_virt(contents->shown) + offset;
	if (*bytes > left)
		*bytes = left;
}

/* --- use --- */

int host_contents_open(struct inode *inode)
{
	struct host_contents *contents = inode->backing;
	const void *data;
	size_t bytes = contents->bytes;
	int error = contents->chunks || contents->shown ? 0 : host_contents_map(inode, 0, &data, &bytes);
	if (error < 0) {
		kfree(contents->chunks);
		contents->chunks = NULL;
	}
	return error;
}

bool host_contents_resident(const struct inode *inode, uint64_t offset)
{
	const struct host_contents *contents = inode->backing;
	return contents->shown || (contents->chunks && contents->chunks[index_of(contents, offset)]);
}

int host_contents_map(struct inode *inode, uint64_t offset, const void **data, size_t *bytes)
{
	struct host_contents *contents = inode->backing;
	const uint64_t index = index_of(contents, offset);
	int error = contents->chunks || contents->shown ? 0 : show_contents(contents);
	if ((!error || error == -EBUSY) && !host_contents_resident(inode, offset)) {
		struct host_chunk *chunk = make_chunk(contents, index);
		if (!chunk)
			return -ENOMEM;
		host_request->offset = start_of(index);
		error = keep_chunk(chunk,
		                   host_request_send(HOST_FILE_LOAD, contents->handle, virt_to_phys(chunk->pieces),
		                                     chunk->piece_count * sizeof(*chunk->pieces)));
	}
	if (error < 0)
		return error;
	if (contents->shown) {
		map_shown(contents, offset, data, bytes);
		return 0;
	}
	struct host_chunk *chunk = contents->chunks[index];
	if (chunk != chunk_list_of(chunk)->last && !host_contents_is_observed) {
		take_out_chunk(chunk);
		put_last(chunk);
	}
	const struct host_file_piece *piece = chunk->pieces;
	for (offset -= start_of(index); offset && offset >= piece->bytes; piece++)
		offset -= piece->bytes;
	*data = (uint8_t *)phys_to_virt(piece->address) + offset;
	if (*bytes > piece->bytes - offset)
		*bytes = piece->bytes - offset;
	return 0;
}

void host_contents_free(struct host_contents *contents)
{
	uint64_t count = contents->chunks ? count_of(contents) : 0;
	for (uint64_t i = 0; i < count; i++)
		if (contents->chunks[i])
			forget_chunk(contents->chunks[i]);
	kfree(contents->chunks);
}
