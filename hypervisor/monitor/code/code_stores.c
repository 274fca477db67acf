/* SPDX-License-Identifier: MIT */
/* Disassembles all functions. In a draw, a heap with the largest number on top keeps the stores with the smallest
 * numbers. */
#include "code/code_stores.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "code/code_scan.h"
#include "scan/disassembler.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(CODE_SCAN_BYTES_MAX <= CODE_STORES_LOAD, "an offset leaves the marks their bits");

struct entry {
	bool is_late; /* drawn after all that are not */
	uint64_t number, address;
};

struct draw {
	struct entry *heap; /* entry 0 is the largest */
	uint32_t count, wanted;
	uint64_t key;
};

static bool is_less(const struct entry *a, const struct entry *b)
{
	if (a->is_late != b->is_late)
		return b->is_late;
	return a->number < b->number || (a->number == b->number && a->address < b->address);
}

static void exchange(struct entry *a, struct entry *b)
{
	struct entry kept = *a;
	*a = *b;
	*b = kept;
}

/* Moves the new top of the heap down to its place. */
static void sink(struct draw *draw)
{
	for (uint32_t at = 0, child; (child = 2 * at + 1) < draw->count; at = child) {
		if (child + 1 < draw->count && is_less(&draw->heap[child], &draw->heap[child + 1]))
			child++;
		if (!is_less(&draw->heap[at], &draw->heap[child]))
			return;
		exchange(&draw->heap[at], &draw->heap[child]);
	}
}

static void rise(struct draw *draw, uint32_t at)
{
	for (uint32_t parent; at; at = parent) {
		parent = (at - 1) / 2;
		if (!is_less(&draw->heap[parent], &draw->heap[at]))
			return;
		exchange(&draw->heap[parent], &draw->heap[at]);
	}
}

static void offer(struct draw *draw, uint64_t address, uint64_t offset, bool is_late)
{
	const struct entry entry = {is_late, XXH3_64bits_withSeed(&offset, sizeof(offset), draw->key), address};
	if (draw->count < draw->wanted) {
		draw->heap[draw->count] = entry;
		rise(draw, draw->count++);
	} else if (draw->wanted && is_less(&entry, draw->heap)) {
		draw->heap[0] = entry;
		sink(draw);
	}
}

/* A jump or a call through memory loads, too, but cannot be moved into a stub. */
#define NO_LOAD (INSTRUCTION_END | INSTRUCTION_LEAVES | INSTRUCTION_INDIRECT)

/* Whether an instruction is the mov of the stack pointer to the frame pointer at the start of a function. */
static bool makes_frame(const uint8_t *bytes, unsigned length)
{
	return length == 3 && (!memcmp(bytes, "\x48\x89\xe5", 3) || !memcmp(bytes, "\x48\x8b\xec", 3));
}

struct listing {
	struct code_stores *stores;
	uint64_t only, only_bytes; /* addresses to which it is limited; 0: none */
};

/* Adds a function's stores to the list. */
static int add_function(void *context, const struct code_area *area, const struct code_range *function)
{
	const struct listing *listing = context;
	struct code_stores *stores = listing->stores;
	if (listing->only_bytes && function->address - listing->only >= listing->only_bytes)
		return 0;
	const uint64_t start = function->address - area->address, end = start + function->bytes;
	bool has_frame = false;
	for (uint64_t at = start; at < end;) {
		struct instruction instruction;
		struct memory_operand operand = {.is_store = false};
		const uint8_t *bytes = area->bytes + at;
		unsigned length = disassemble(bytes, area->count - at, area->address + at, &instruction);
		if (!length)
			break;
		if (!instruction.kind && instruction.flags & INSTRUCTION_MEMORY)
			disassembler_operand(bytes, area->count - at, &operand);
		if (operand.is_store || (operand.is_load && !(instruction.flags & NO_LOAD))) {
			if (!array_reserve(stores->at, stores->room, stores->count + 1))
				return -ENOMEM;
			bool is_stack = has_frame && CODE_BASE(operand.packed) == USES_RBP;
			stores->at[stores->count++] = (uint32_t)(area->offset + at) |
			                              (is_stack ? CODE_STORES_STACK : 0) |
			                              (operand.is_load ? CODE_STORES_LOAD : 0);
		}
		has_frame |= makes_frame(bytes, length);
		at += length;
	}
	return 0;
}

int code_stores_find(struct code_map *map, struct code_stores *stores)
{
	struct listing listing = {.stores = stores};
	Elf64_Shdr only;
	*stores = (struct code_stores){0};
	if (elf_file_section_named(&map->elf, CODE_STORES_SECTION, &only)) {
		listing.only = only.sh_addr;
		listing.only_bytes = only.sh_size;
	}
	int result = code_map_each_function(map, add_function, &listing);
	if (result) {
		free(stores->at);
		*stores = (struct code_stores){0};
	}
	return result;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static int finish(struct draw *draw, struct code_sample *sample)
{
	sample->at = malloc((draw->count + 1UL) * sizeof(*sample->at));
	if (!sample->at)
		return -ENOMEM;
	for (uint32_t i = 0; i < draw->count; i++)
		sample->at[i] = draw->heap[i].address;
	sample->count = draw->count;
	qsort(sample->at, sample->count, sizeof(*sample->at), compare);
	return 0;
}

/* Offers the listed stores of an area, from the one with this index on. Returns the index of the first one behind it.
 */
static size_t offer_area(struct draw *draw, const struct code_area *area, const struct code_stores *stores, size_t next,
                         const struct code_points *points)
{
	for (; next < stores->count; next++) {
		const uint32_t offset = CODE_STORES_OFFSET(stores->at[next]);
		if (offset >= area->offset + area->count)
			break;
		bool is_wanted = points->loads || !(stores->at[next] & CODE_STORES_LOAD);
		if (is_wanted && offset >= area->offset)
			offer(draw, area->address + (offset - area->offset), offset,
			      points->own && stores->at[next] & CODE_STORES_STACK);
	}
	return next;
}

int code_stores_draw(const struct code_map *map, const struct code_stores *stores, const struct code_points *points,
                     struct code_sample *sample)
{
	struct draw draw = {.wanted = points->stores, .key = points->seed};
	*sample = (struct code_sample){0};
	draw.heap = malloc((points->stores + 1UL) * sizeof(*draw.heap));
	if (!draw.heap)
		return -ENOMEM;
	for (unsigned i = 0; i < map->area_count; i++) /* debug information does not change the draw */
		draw.key = XXH3_64bits_withSeed(map->areas[i].bytes, map->areas[i].count, draw.key);
	size_t next = 0;
	for (unsigned i = 0; i < map->area_count; i++) /* areas and stores ascend in the file */
		next = offer_area(&draw, &map->areas[i], stores, next, points);
	int result = finish(&draw, sample);
	free(draw.heap);
	return result;
}
