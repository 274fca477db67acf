/* SPDX-License-Identifier: MIT */
/* Counts of additional owners, for all frames of a block together, in blocks that have a shared frame. */
#include "kernel/linux/memory/shared_frames.h"

#include <stddef.h>

#include "abi/tables.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/kmalloc.h"

#define FRAMES_PER_BLOCK (BLOCK_SIZE / PAGE_SIZE)

struct block_owners {
	struct block_owners *next; /* in the list of a hash value */
	uint64_t block;            /* its number */
	uint32_t total;            /* of more[] */
	uint16_t more[FRAMES_PER_BLOCK];
};

#define LISTS 256
static struct block_owners *lists[LISTS];

/* The position of a frame's block in its list, or where to insert it. */
static struct block_owners **find_owners(uint64_t frame)
{
	uint64_t block = frame / BLOCK_SIZE;
	struct block_owners **link = &lists[block % LISTS];
	while (*link && (*link)->block != block)
		link = &(*link)->next;
	return link;
}

static uint16_t *more_of(struct block_owners *owners, uint64_t frame)
{
	return &owners->more[frame / PAGE_SIZE % FRAMES_PER_BLOCK];
}

bool shared_frames_has(uint64_t frame)
{
	struct block_owners *owners = *find_owners(frame);
	return owners && *more_of(owners, frame);
}

bool shared_frames_has_other(uint64_t frame)
{
	struct block_owners **link = find_owners(frame), *owners = *link;
	if (!owners || !*more_of(owners, frame))
		return false;
	--*more_of(owners, frame);
	if (!--owners->total) {
		*link = owners->next;
		kfree(owners);
	}
	return true;
}

bool shared_frames_add(uint64_t frame)
{
	struct block_owners **link = find_owners(frame);
	if (!*link) {
		struct block_owners *owners = kzalloc(sizeof(*owners));
		if (!owners)
			return false;
		owners->block = frame / BLOCK_SIZE;
		*link = owners;
	}
	if (*more_of(*link, frame) == UINT16_MAX)
		return false;
	++*more_of(*link, frame);
	(*link)->total++;
	return true;
}
