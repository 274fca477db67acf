/* SPDX-License-Identifier: MIT */
#include "base/pair_table.h"

#include <stdlib.h>
#include <sys/random.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(sizeof(struct pair_secret) >= XXH3_SECRET_SIZE_MIN, "pair_secret");

void pair_secret_init(struct pair_secret *secret)
{
	if (getrandom(secret, sizeof(*secret), 0) != sizeof(*secret))
		abort(); /* Linux gives up to 256 bytes at once (getrandom(2)) */
}

static struct pair_slot *find_pair_slot(const struct pair_table *table, const struct pair_secret *secret, uint64_t a,
                                        uint64_t b)
{
	const uint64_t key[] = {a, b};
	uint32_t at = (uint32_t)XXH3_64bits_withSecret(key, sizeof(key), secret, sizeof(*secret)) & (table->room - 1);
	while (table->slots[at].index && (table->slots[at].a != a || table->slots[at].b != b))
		at = (at + 1) & (table->room - 1);
	return &table->slots[at];
}

static bool grow_table(struct pair_table *table, const struct pair_secret *secret)
{
	struct pair_table larger = {
		.room = table->room ? 2 * table->room : 1024, .count = table->count, .max = table->max};
	larger.slots = calloc(larger.room, sizeof(*larger.slots));
	if (!larger.slots)
		return false;
	for (uint32_t i = 0; i < table->room; i++)
		if (table->slots[i].index)
			*find_pair_slot(&larger, secret, table->slots[i].a, table->slots[i].b) = table->slots[i];
	free(table->slots);
	*table = larger;
	return true;
}

uint32_t pair_table_index(struct pair_table *table, const struct pair_secret *secret, uint64_t a, uint64_t b,
                          bool *added)
{
	*added = false;
	if (table->count >= table->room / 2 && table->count < table->max && !grow_table(table, secret))
		return PAIR_TABLE_NONE;
	struct pair_slot *slot = find_pair_slot(table, secret, a, b);
	if (slot->index)
		return slot->index - 1;
	if (table->count == table->max)
		return PAIR_TABLE_NONE;
	*slot = (struct pair_slot){a, b, ++table->count};
	*added = true;
	return slot->index - 1;
}

void pair_table_fini(struct pair_table *table)
{
	free(table->slots);
	*table = (struct pair_table){.max = table->max};
}
