/* SPDX-License-Identifier: MIT */
/* Disassembles all functions. A heap, with the largest number on top, keeps the stores with the smallest numbers. */
#include "code/code_stores.h"

#include <errno.h>
#include <stdlib.h>

#include "scan/disassembler.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

struct entry {
	uint64_t number, address;
};

struct draw {
	struct entry *heap; /* entry 0 is the largest */
	uint32_t count, wanted;
	uint64_t key;
};

static bool is_less(const struct entry *a, const struct entry *b)
{
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

static void offer(struct draw *draw, uint64_t address, uint64_t offset)
{
	const struct entry entry = {XXH3_64bits_withSeed(&offset, sizeof(offset), draw->key), address};
	if (draw->count < draw->wanted) {
		draw->heap[draw->count] = entry;
		rise(draw, draw->count++);
	} else if (draw->wanted && is_less(&entry, draw->heap)) {
		draw->heap[0] = entry;
		sink(draw);
	}
}

/* Offers a function's stores. */
static int offer_function(void *context, const struct code_area *area, const struct code_range *function)
{
	const uint64_t start = function->address - area->address, end = start + function->bytes;
	for (uint64_t at = start; at < end;) {
		struct instruction instruction;
		struct memory_operand operand;
		const uint8_t *bytes = area->bytes + at;
		unsigned length = disassemble(bytes, area->count - at, area->address + at, &instruction);
		if (!length)
			break;
		if (!instruction.kind && instruction.flags & INSTRUCTION_MEMORY) {
			disassembler_operand(bytes, area->count - at, &operand);
			if (operand.is_store)
				offer(context, area->address + at, area->offset + at);
		}
		at += length;
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static int finish(struct draw *draw, struct code_stores *stores)
{
	stores->at = malloc((draw->count + 1UL) * sizeof(*stores->at));
	if (!stores->at)
		return -ENOMEM;
	for (uint32_t i = 0; i < draw->count; i++)
		stores->at[i] = draw->heap[i].address;
	stores->count = draw->count;
	qsort(stores->at, stores->count, sizeof(*stores->at), compare);
	return 0;
}

int code_stores_draw(struct code_map *map, uint32_t wanted, uint64_t seed, struct code_stores *stores)
{
	struct draw draw = {.wanted = wanted, .key = seed};
	*stores = (struct code_stores){0};
	draw.heap = malloc((wanted + 1UL) * sizeof(*draw.heap));
	if (!draw.heap)
		return -ENOMEM;
	for (unsigned i = 0; i < map->area_count; i++) /* debug information does not change the draw */
		draw.key = XXH3_64bits_withSeed(map->areas[i].bytes, map->areas[i].count, draw.key);
	int result = code_map_each_function(map, offer_function, &draw);
	if (!result)
		result = finish(&draw, stores);
	free(draw.heap);
	return result;
}
