/* SPDX-License-Identifier: MIT */
/* Kernel heap. Small objects come from frames that are each cut into objects of one size class, which a header at the
 * frame's start names. Larger objects are whole frames or blocks, also with a header. Sizes of a page or more are
 * rounded up to whole pages, after the page of the header, so that they are page-aligned. */
#include "kernel/mm/kmalloc.h"

#include <stdbool.h>
#include <stdint.h>

#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"

#define SLAB_MAGIC 0x534c4142U
#define CLASS_COUNT 12

static const uint16_t class_bytes[CLASS_COUNT] = {32, 64, 96, 128, 192, 256, 384, 512, 672, 1008, 1344, 2016};

/* Head of each frame of small objects. */
struct slab {
	uint32_t magic;
	uint16_t class;
	uint16_t used;            /* objects handed out */
	uint16_t fresh;           /* offset of the first byte never handed out */
	uint16_t free_list;       /* offset of the object freed last; 0: none */
	struct slab *next, *prev; /* slabs of this class with room */
};

#define SLAB_HEADER 64

_Static_assert(sizeof(struct slab) <= SLAB_HEADER, "slab header");

static struct slab *rooms[CLASS_COUNT];

/* An allocation of whole pages: its address and size. The records are small objects, in a hash by address. */
struct large {
	struct large *next;
	uint64_t base;
	size_t bytes;
};

#define LARGE_BUCKETS 64

static struct large *larges[LARGE_BUCKETS];

static struct large **large_bucket(uint64_t base)
{
	return &larges[(base >> 12 ^ base >> 21) % LARGE_BUCKETS];
}

static int class_of(size_t bytes)
{
	int class = 0;
	while (class_bytes[class] < bytes)
		class ++;
	return class;
}

static void room_push(struct slab *slab)
{
	slab->prev = NULL;
	slab->next = rooms[slab->class];
	if (slab->next)
		slab->next->prev = slab;
	rooms[slab->class] = slab;
}

static void room_remove(struct slab *slab)
{
	if (slab->prev)
		slab->prev->next = slab->next;
	else
		rooms[slab->class] = slab->next;
	if (slab->next)
		slab->next->prev = slab->prev;
}

static int slab_is_full(const struct slab *slab)
{
	return !slab->free_list && slab->fresh + class_bytes[slab->class] > PAGE_SIZE;
}

static struct slab *slab_create(int class)
{
	uint64_t frame = frame_alloc();
	if (!frame)
		return NULL;
	struct slab *slab = phys_to_virt(frame);
	slab->magic = SLAB_MAGIC;
	slab->class = (uint16_t) class;
	slab->fresh = SLAB_HEADER;
	room_push(slab);
	return slab;
}

static void *small_alloc(size_t bytes)
{
	int class = class_of(bytes);
	struct slab *slab = rooms[class] ? rooms[class] : slab_create(class);
	if (!slab)
		return NULL;
	uint8_t *object;
	if (slab->free_list) {
		object = (uint8_t *)slab + slab->free_list;
		memcpy(&slab->free_list, object, sizeof(slab->free_list));
	} else {
		object = (uint8_t *)slab + slab->fresh;
		slab->fresh = (uint16_t)(slab->fresh + class_bytes[class]);
	}
	slab->used++;
	if (slab_is_full(slab))
		room_remove(slab);
	return object;
}

static void small_free(void *memory)
{
	struct slab *slab = (struct slab *)((uint64_t)memory & ~(PAGE_SIZE - 1));
	assert(slab->magic == SLAB_MAGIC);
	assert(slab->used > 0);
	if (slab_is_full(slab))
		room_push(slab);
	memcpy(memory, &slab->free_list, sizeof(slab->free_list));
	slab->free_list = (uint16_t)((uint64_t)memory & (PAGE_SIZE - 1));
	if (--slab->used == 0) {
		room_remove(slab);
		slab->magic = 0;
		frame_free(virt_to_phys(slab));
	}
}

/* Blocks are zero; adjacent frames only if `clear`, which costs as much as a copy. */
static void *large_alloc(size_t bytes, bool clear)
{
	struct large *large = small_alloc(sizeof(*large));
	if (!large)
		return NULL;
	size_t unit = bytes <= BLOCK_SIZE / 2 ? PAGE_SIZE : BLOCK_SIZE;
	large->bytes = (bytes + unit - 1) & ~(unit - 1);
	size_t count = large->bytes / unit;
	large->base = unit == BLOCK_SIZE ? frame_alloc_blocks(count)
	              : clear            ? frame_alloc_run(count)
	                                 : frame_alloc_run_to_overwrite(count);
	if (!large->base) {
		small_free(large);
		return NULL;
	}
	struct large **bucket = large_bucket(large->base);
	large->next = *bucket;
	*bucket = large;
	return phys_to_virt(large->base);
}

/* The link that points to the record of page-aligned memory. */
static struct large **large_find(const void *memory)
{
	uint64_t base = virt_to_phys(memory);
	struct large **link = large_bucket(base);
	while (*link && (*link)->base != base)
		link = &(*link)->next;
	assert(*link != NULL);
	return link;
}

static void large_free(void *memory)
{
	struct large **link = large_find(memory);
	struct large *large = *link;
	*link = large->next;
	if (large->bytes % BLOCK_SIZE == 0) {
		frame_free_blocks(large->base, large->bytes / BLOCK_SIZE);
	} else {
		for (size_t at = 0; at < large->bytes; at += PAGE_SIZE)
			frame_free(large->base + at);
	}
	small_free(large);
}

static int is_large(const void *memory)
{
	return ((uint64_t)memory & (PAGE_SIZE - 1)) == 0;
}

static size_t usable_bytes(const void *memory)
{
	if (is_large(memory))
		return (*large_find(memory))->bytes;
	const struct slab *slab = (const struct slab *)((uint64_t)memory & ~(PAGE_SIZE - 1));
	return class_bytes[slab->class];
}

static void *allocate(size_t bytes, bool clear)
{
	if (bytes > frame_total_bytes())
		return NULL;
	return bytes <= class_bytes[CLASS_COUNT - 1] ? small_alloc(bytes) : large_alloc(bytes, clear);
}

void *kmalloc(size_t bytes)
{
	return allocate(bytes, false);
}

void *kzalloc(size_t bytes)
{
	void *memory = allocate(bytes, true);
	if (memory && !is_large(memory))
		memset(memory, 0, bytes);
	return memory;
}

void *krealloc(void *memory, size_t bytes)
{
	if (!memory)
		return kmalloc(bytes);
	size_t had = usable_bytes(memory);
	if (bytes <= had && bytes * 2 > had)
		return memory;
	void *moved = kmalloc(bytes);
	if (!moved)
		return NULL;
	memcpy(moved, memory, had < bytes ? had : bytes);
	kfree(memory);
	return moved;
}

void kfree(void *memory)
{
	if (!memory)
		return;
	if (is_large(memory))
		large_free(memory);
	else
		small_free(memory);
}
