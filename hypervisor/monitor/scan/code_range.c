/* SPDX-License-Identifier: MIT */
#include "scan/code_range.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/search.h"

/* How many ranges before an address are looked at. Ranges hardly ever overlap. */
#define NEAR 8

int code_range_append(struct code_ranges *ranges, struct code_range range)
{
	if (!array_reserve(ranges->at, ranges->room, ranges->count + 1))
		return -ENOMEM;
	ranges->at[ranges->count++] = range;
	return 0;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct code_range *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->bytes == y->bytes ? 0 : x->bytes < y->bytes ? -1 : 1;
}

void code_range_sort(struct code_ranges *ranges)
{
	for (size_t i = 1; i < ranges->count; i++) {
		if (compare_ranges(&ranges->at[i - 1], &ranges->at[i]) > 0) { /* most linkers sort them */
			qsort(ranges->at, ranges->count, sizeof(*ranges->at), compare_ranges);
			return;
		}
	}
}

/* Returns the index of the first range that begins after an address. */
static size_t first_behind(const struct code_range *ranges, size_t count, uint64_t address)
{
	return search_first(count, i, ranges[i].address <= address);
}

uint64_t code_range_next(const struct code_ranges *ranges, uint64_t address, uint64_t limit)
{
	size_t next = first_behind(ranges->at, ranges->count, address);
	return next < ranges->count && ranges->at[next].address < limit ? ranges->at[next].address : limit;
}

const struct code_range *code_range_find(const struct code_range *ranges, size_t count, uint64_t address, uint64_t *gap)
{
	size_t low = first_behind(ranges, count, address);
	for (unsigned near = 0; near < NEAR && low > near; near++) {
		const struct code_range *range = &ranges[low - 1 - near];
		if (address - range->address < range->bytes)
			return range;
		if (range->address + range->bytes > *gap)
			*gap = range->address + range->bytes;
	}
	return NULL;
}
