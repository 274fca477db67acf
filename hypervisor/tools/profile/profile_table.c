/* SPDX-License-Identifier: MIT */
#include "profile/profile_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/die.h"

#define SLOTS_MIN 1024

/* FNV-1a */
static uint64_t hash_of(const char *text, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325UL;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3UL;
	return hash;
}

static size_t *find_slot(const struct profile_table *table, const char *names)
{
	size_t at = hash_of(names, strlen(names)) % table->slot_count;
	while (table->slots[at] && strcmp(table->stacks[table->slots[at] - 1].names, names))
		at = (at + 1) % table->slot_count;
	return &table->slots[at];
}

/* Makes the hash table anew, at most half full. */
static void fill_slots(struct profile_table *table)
{
	free(table->slots);
	table->slot_count = table->count * 4 > SLOTS_MIN ? table->count * 4 : SLOTS_MIN;
	table->slots = calloc(table->slot_count, sizeof(*table->slots));
	if (!table->slots)
		die("out of memory");
	for (size_t i = 0; i < table->count; i++)
		*find_slot(table, table->stacks[i].names) = i + 1;
}

size_t profile_table_stack(struct profile_table *table, const char *names)
{
	if (2 * (table->count + 1) > table->slot_count)
		fill_slots(table);
	size_t *slot = find_slot(table, names);
	if (*slot)
		return *slot - 1;
	char *copy = strdup(names);
	if (!copy || !array_reserve(table->stacks, table->room, table->count + 1))
		die("out of memory");
	table->stacks[table->count] = (struct profile_stack){.names = copy};
	*slot = ++table->count;
	return table->count - 1;
}

static int compare_stacks(const void *a, const void *b)
{
	return strcmp(((const struct profile_stack *)a)->names, ((const struct profile_stack *)b)->names);
}

void profile_table_sort(struct profile_table *table)
{
	if (!table->count)
		return;
	qsort(table->stacks, table->count, sizeof(*table->stacks), compare_stacks);
	fill_slots(table);
}

/* --- functions --- */

/* Functions while they are listed: a hash table of their own. */
struct listing {
	struct profile_function *functions;
	size_t count, room;
	size_t *slots, slot_count;
};

static bool is_name(const struct profile_function *function, const char *name, size_t length)
{
	return function->length == length && !memcmp(function->name, name, length);
}

static void fill_listing(struct listing *listing)
{
	free(listing->slots);
	listing->slot_count = listing->count * 4 > SLOTS_MIN ? listing->count * 4 : SLOTS_MIN;
	listing->slots = calloc(listing->slot_count, sizeof(*listing->slots));
	if (!listing->slots)
		die("out of memory");
	for (size_t i = 0; i < listing->count; i++) {
		const struct profile_function *function = &listing->functions[i];
		size_t at = hash_of(function->name, function->length) % listing->slot_count;
		while (listing->slots[at])
			at = (at + 1) % listing->slot_count;
		listing->slots[at] = i + 1;
	}
}

static struct profile_function *find_function(struct listing *listing, const char *name, size_t length)
{
	if (2 * (listing->count + 1) > listing->slot_count)
		fill_listing(listing);
	size_t at = hash_of(name, length) % listing->slot_count;
	while (listing->slots[at] && !is_name(&listing->functions[listing->slots[at] - 1], name, length))
		at = (at + 1) % listing->slot_count;
	if (listing->slots[at])
		return &listing->functions[listing->slots[at] - 1];
	if (!array_reserve(listing->functions, listing->room, listing->count + 1))
		die("out of memory");
	listing->slots[at] = ++listing->count;
	struct profile_function *function = &listing->functions[listing->count - 1];
	*function = (struct profile_function){.name = name, .length = length};
	return function;
}

/* Whether the name at `at` is also that of an outer function of the stack: a recursion. */
static bool is_again(const char *names, const char *at, size_t length)
{
	for (const char *name = names; name < at;) {
		const size_t other = strcspn(name, ";");
		if (other == length && !memcmp(name, at, length))
			return true;
		name += other + 1;
	}
	return false;
}

static void add_stack(struct listing *listing, const struct profile_stack *stack)
{
	for (const char *name = stack->names; *name;) {
		const size_t length = strcspn(name, ";");
		struct profile_function *function = find_function(listing, name, length);
		if (!is_again(stack->names, name, length)) {
			function->total_ns += stack->ns;
			function->total_samples += stack->samples;
		}
		if (!name[length]) {
			function->self_ns += stack->ns;
			function->self_samples += stack->samples;
			return;
		}
		name += length + 1;
	}
}

static int compare_names(const struct profile_function *a, const struct profile_function *b)
{
	const size_t less = a->length < b->length ? a->length : b->length;
	const int order = memcmp(a->name, b->name, less);
	return order ? order : a->length < b->length ? -1 : a->length > b->length;
}

static int compare_functions(const void *first, const void *second)
{
	const struct profile_function *a = first, *b = second;
	if (a->self_ns != b->self_ns)
		return a->self_ns > b->self_ns ? -1 : 1;
	if (a->self_samples != b->self_samples)
		return a->self_samples > b->self_samples ? -1 : 1;
	return compare_names(a, b);
}

struct profile_function *profile_table_functions(const struct profile_table *table, size_t *count)
{
	struct listing listing = {0};
	for (size_t i = 0; i < table->count; i++)
		add_stack(&listing, &table->stacks[i]);
	if (listing.count)
		qsort(listing.functions, listing.count, sizeof(*listing.functions), compare_functions);
	free(listing.slots);
	*count = listing.count;
	return listing.functions;
}

void profile_table_fini(struct profile_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->stacks[i].names);
	free(table->stacks);
	free(table->slots);
	*table = (struct profile_table){0};
}
