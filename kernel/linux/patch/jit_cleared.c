/* SPDX-License-Identifier: MIT */
#include "kernel/linux/patch/jit_cleared.h"

#include <stddef.h>

#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"

/* A run of javac has some 600 such places. */
#define SLOTS_BITS 10

struct jit_cleared {
	struct cleared_place {
		uint64_t address; /* 0: none */
		uint8_t around[2 * JIT_CLEARED_REACH];
	} places[1 << SLOTS_BITS];
};

static size_t cleared_slot(uint64_t address)
{
	return address * 0x9e3779b97f4a7c15UL >> (64 - SLOTS_BITS);
}

bool jit_cleared_has(const struct jit_cleared *table, uint64_t address, const uint8_t *at)
{
	const struct cleared_place *place = table ? &table->places[cleared_slot(address)] : NULL;
	return place && place->address == address &&
	       !memcmp(place->around, at - JIT_CLEARED_REACH, sizeof(place->around));
}

void jit_cleared_add(struct jit_cleared **table, uint64_t address, const uint8_t *at)
{
	if (!*table)
		*table = kzalloc(sizeof(**table));
	if (!*table)
		return;
	struct cleared_place *place = &(*table)->places[cleared_slot(address)];
	place->address = address;
	memcpy(place->around, at - JIT_CLEARED_REACH, sizeof(place->around));
}
