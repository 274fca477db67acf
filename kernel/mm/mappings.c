/* SPDX-License-Identifier: MIT */
/* The list of mappings: a sorted array. mappings_reserve does everything that may fail, before anything changes. */
#include "kernel/mm/mappings.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/search.h"
#include "kernel/lib/string.h"
#include "kernel/mm/array.h"
#include "kernel/mm/kmalloc.h"

struct mappings mappings;

void mappings_init(void)
{
	mappings.count = 0;
	mappings.room = 32;
	mappings.list = kmalloc(mappings.room * sizeof(*mappings.list));
	assert(mappings.list != NULL);
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
	return search_first(mappings.count, i, mappings.list[i].end <= address);
}

struct mapping *mappings_at(uint64_t address)
{
	size_t i = mappings_find(address);
	return i < mappings.count && mappings.list[i].start <= address ? &mappings.list[i] : NULL;
}

int mappings_reserve(size_t more)
{
	return mappings_reserve_net(more, (long)more);
}

int mappings_reserve_net(size_t more, long growth)
{
	if (growth > 0 && mappings.count + (size_t)growth > VM_MAPPINGS_MAX)
		return -ENOMEM;
	return array_reserve(mappings.list, mappings.room, mappings.count + more) ? 0 : -ENOMEM;
}

static void insert_at(size_t index, struct mapping mapping)
{
	assert(mappings.count < mappings.room);
	memmove(&mappings.list[index + 1], &mappings.list[index], (mappings.count - index) * sizeof(mapping));
	mappings.list[index] = mapping;
	mappings.count++;
	object_get(&mapping);
}

static void remove_at(size_t index)
{
	struct mapping gone = mappings.list[index];
	mappings.count--;
	memmove(&mappings.list[index], &mappings.list[index + 1], (mappings.count - index) * sizeof(gone));
	object_put(&gone);
}

void mappings_cut(uint64_t address)
{
	size_t i = mappings_find(address);
	if (i == mappings.count || mappings.list[i].start >= address)
		return;
	struct mapping tail = mappings.list[i];
	tail.backing.page += (address - tail.start) / PAGE_SIZE;
	tail.start = address;
	mappings.list[i].end = address;
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
	for (size_t i = to; i > from; i--) {
		if (i >= mappings.count || !same_but_place(&mappings.list[i - 1], &mappings.list[i]))
			continue;
		mappings.list[i - 1].end = mappings.list[i].end;
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
	for (size_t i = from; i < to; i++)
		object_put(&mappings.list[i]);
	memmove(&mappings.list[from], &mappings.list[to], (mappings.count - to) * sizeof(mappings.list[0]));
	mappings.count -= to - from;
}
