/* SPDX-License-Identifier: MIT */
#include "oci/oci_attributes.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define ROOM_MIN 1024

/* The place of a hash, or the free place where it belongs. The table has free places. */
static size_t find_attribute_place(const struct oci_attribute *table, size_t room, uint64_t low, uint64_t high)
{
	size_t at = high & (room - 1);
	while (table[at].low && (table[at].low != low || table[at].high != high))
		at = (at + 1) & (room - 1);
	return at;
}

static bool grow_attributes(struct oci_attributes *attributes)
{
	const size_t room = attributes->room ? 2 * attributes->room : ROOM_MIN;
	struct oci_attribute *table = calloc(room, sizeof(*table));
	if (!table)
		return false;
	for (size_t i = 0; i < attributes->room; i++) {
		const struct oci_attribute *old = &attributes->table[i];
		if (old->low)
			table[find_attribute_place(table, room, old->low, old->high)] = *old;
	}
	free(attributes->table);
	attributes->table = table;
	attributes->room = room;
	return true;
}

bool oci_attributes_put(struct oci_attributes *attributes, const char *path, struct oci_attribute attribute)
{
	if (2 * attributes->count >= attributes->room && !grow_attributes(attributes))
		return false;
	const XXH128_hash_t hash = XXH3_128bits(path, strlen(path));
	attribute.low = hash.low64 | 1; /* never that of a free place */
	attribute.high = hash.high64;
	struct oci_attribute *to = &attributes->table[find_attribute_place(attributes->table, attributes->room,
	                                                                   attribute.low, attribute.high)];
	attributes->count += !to->low;
	*to = attribute;
	return true;
}

const struct oci_attribute *oci_attributes_get(const struct oci_attributes *attributes, const char *path)
{
	if (!attributes->room)
		return NULL;
	const XXH128_hash_t hash = XXH3_128bits(path, strlen(path));
	const struct oci_attribute *found = &attributes->table[find_attribute_place(attributes->table, attributes->room,
	                                                                            hash.low64 | 1, hash.high64)];
	return found->low ? found : NULL;
}

void oci_attributes_fini(struct oci_attributes *attributes)
{
	free(attributes->table);
	*attributes = (struct oci_attributes){0};
}
