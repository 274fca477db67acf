/* SPDX-License-Identifier: MIT */
/* The list of mappings: a sorted array. mappings_reserve does everything that may fail, before anything changes. */
#include "kernel/mm/mappings.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/search.h"
#include "kernel/lib/string.h"
#include "kernel/mm/array.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/space.h"

void mappings_init(void)
{
	struct mappings *all = &space_current->mappings;
	all->count = 0;
	all->room = 32;
	all->list = kmalloc(all->room * sizeof(*all->list));
	assert(all->list != NULL);
}

static void object_get(const struct mapping *mapping)
{
	if (mapping->backing.ops)
		mapping->backing.ops->get(&mapping->backing);
}

static void object_put(const struct mapping *mapping)
{
	if (mapping->backing.ops)
		mapping->backing.ops->put(&mapping->backing);
}

size_t mappings_find(uint64_t address)
{
	const struct mappings *all = &space_current->mappings;
	return search_first(all->count, i, all->list[i].end <= address);
}

struct mapping *mappings_at(uint64_t address)
{
	struct mappings *all = &space_current->mappings;
	size_t i = mappings_find(address);
	return i < all->count && all->list[i].start <= address ? &all->list[i] : NULL;
}

int mappings_reserve(size_t more)
{
	return mappings_reserve_net(more, (long)more);
}

int mappings_reserve_net(size_t more, long growth)
{
	struct mappings *all = &space_current->mappings;
	if (growth > 0 && all->count + (size_t)growth > VM_MAPPINGS_MAX)
		return -ENOMEM;
	return array_reserve(all->list, all->room, all->count + more) ? 0 : -ENOMEM;
}

static void insert_at(size_t index, struct mapping mapping)
{
	struct mappings *all = &space_current->mappings;
	assert(all->count < all->room);
	memmove(&all->list[index + 1], &all->list[index], (all->count - index) * sizeof(mapping));
	all->list[index] = mapping;
	all->count++;
	object_get(&mapping);
}

static void remove_at(size_t index)
{
	struct mappings *all = &space_current->mappings;
	struct mapping gone = all->list[index];
	all->count--;
	memmove(&all->list[index], &all->list[index + 1], (all->count - index) * sizeof(gone));
	object_put(&gone);
}

void mappings_cut(uint64_t address)
{
	struct mappings *all = &space_current->mappings;
	size_t i = mappings_find(address);
	if (i == all->count || all->list[i].start >= address)
		return;
	struct mapping tail = all->list[i];
	tail.backing.page += (address - tail.start) / PAGE_SIZE;
	tail.start = address;
	all->list[i].end = address;
	insert_at(i + 1, tail);
}

static bool same_but_place(const struct mapping *a, const struct mapping *b)
{
	if (a->end != b->start || a->prot != b->prot || a->hints != b->hints || a->backing.ops != b->backing.ops)
		return false;
	if (!a->backing.ops)
		return true;
	return a->backing.object == b->backing.object && a->backing.keeper == b->backing.keeper &&
	       a->backing.shared == b->backing.shared && a->backing.may_write == b->backing.may_write &&
	       a->backing.page + (a->end - a->start) / PAGE_SIZE == b->backing.page;
}

void mappings_join(size_t from, size_t to)
{
	struct mappings *all = &space_current->mappings;
	for (size_t i = to; i > from; i--) {
		if (i >= all->count || !same_but_place(&all->list[i - 1], &all->list[i]))
			continue;
		all->list[i - 1].end = all->list[i].end;
		remove_at(i);
	}
}

void mappings_add(struct mapping mapping)
{
	size_t i = mappings_find(mapping.start);
	insert_at(i, mapping);
	mappings_join(i ? i - 1 : 0, i + 1);
}

void mappings_remove(size_t from, size_t to)
{
	struct mappings *all = &space_current->mappings;
	for (size_t i = from; i < to; i++)
		object_put(&all->list[i]);
	memmove(&all->list[from], &all->list[to], (all->count - to) * sizeof(all->list[0]));
	all->count -= to - from;
}
