/* SPDX-License-Identifier: MIT */
#include "kernel/linux/patch/jit_doubts.h"

#include "abi/errno.h"
#include "kernel/end.h"
#include "kernel/lib/format.h"
#include "kernel/lib/search.h"
#include "kernel/lib/string.h"
#include "kernel/linux/patch/jit_patches.h"
#include "kernel/mm/array.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/linux/memory/linux_space.h"

/* Executed instructions of a page after which its doubtful bytes are decided; each one is a step of some microseconds.
 * After STEPS_UNLIKELY, unlikely bytes count as harmless. After STEPS_OPEN, undecided bytes end the run: stepping makes
 * the program so slow that it is better to stop and say why. */
#define STEPS_UNLIKELY 128U
#define STEPS_OPEN (1U << 18)
#define LOOKS_MAX 4

static struct jit_doubts *all(void)
{
	return &linux_space_self()->jit_patches.doubts;
}

static size_t find_doubt(uint64_t address)
{
	return search_first(all()->count, i, all()->list[i].address < address);
}

/* The first doubtful place of a page. A place of two bytes may start on the last byte of the page before. */
static size_t find_page_doubts(uint64_t page)
{
	return find_doubt(page - 1);
}

static bool is_doubt_in(size_t i, uint64_t page)
{
	return i < all()->count && all()->list[i].address < page + PAGE_SIZE;
}

static bool is_same_doubt(const struct jit_doubt *doubt, uint64_t page, const uint8_t *code)
{
	return !memcmp(doubt->around, code + (int64_t)(doubt->address - page) - JIT_DOUBT_REACH, sizeof(doubt->around));
}

void jit_doubts_begin(uint64_t page, const uint8_t *code)
{
	size_t first = find_page_doubts(page), kept = first, i;
	for (i = first; is_doubt_in(i, page); i++) {
		struct jit_doubt *doubt = &all()->list[i];
		doubt->is_told = false;
		if (is_same_doubt(doubt, page, code))
			all()->list[kept++] = *doubt;
	}
	if (kept == i)
		return;
	memmove(&all()->list[kept], &all()->list[i], (all()->count - i) * sizeof(struct jit_doubt));
	all()->count -= i - kept;
}

static void insert_doubt(size_t at, const struct jit_doubt *doubt)
{
	struct jit_doubts *doubts = all();
	if (!array_reserve(doubts->list, doubts->room, doubts->count + 1))
		end_with_report(END_REFUSED, 0, "no memory is left for what a program's code needs; raise --memory");
	memmove(&doubts->list[at + 1], &doubts->list[at], (doubts->count - at) * sizeof(*doubt));
	doubts->list[at] = *doubt;
	doubts->count++;
}

void jit_doubts_tell(uint64_t page, const uint8_t *code, uint64_t address, bool is_open)
{
	size_t i = find_doubt(address);
	if (is_doubt_in(i, page) && all()->list[i].address == address) {
		all()->list[i].is_told = true;
		return;
	}
	struct jit_doubt doubt = {.address = address,
	                          .left = is_open ? STEPS_OPEN : STEPS_UNLIKELY,
	                          .looks = LOOKS_MAX,
	                          .is_open = is_open,
	                          .is_told = true};
	memcpy(doubt.around, code + (int64_t)(address - page) - JIT_DOUBT_REACH, sizeof(doubt.around));
	insert_doubt(i, &doubt);
}

bool jit_doubts_end(uint64_t page)
{
	bool is_left = false;
	for (size_t i = find_page_doubts(page); is_doubt_in(i, page); i++) {
		struct jit_doubt *doubt = &all()->list[i];
		if (!doubt->is_told)
			doubt->left = 0;
		is_left |= doubt->left != 0;
	}
	return is_left;
}

bool jit_doubts_has(uint64_t address)
{
	const size_t i = find_doubt(address);
	return i < all()->count && all()->list[i].address == address && all()->list[i].left;
}

bool jit_doubts_come(uint64_t page, uint64_t opcode, bool is_entry)
{
	bool result = false;
	for (size_t i = find_page_doubts(page); is_doubt_in(i, page); i++) {
		struct jit_doubt *doubt = &all()->list[i];
		if (!doubt->left)
			continue;
		if (doubt->address == opcode)
			return true;
		if (is_entry && doubt->looks) {
			doubt->looks--;
			result = true;
		}
	}
	return result;
}

bool jit_doubts_count(uint64_t page)
{
	bool is_left = false;
	for (size_t i = find_page_doubts(page); is_doubt_in(i, page); i++) {
		struct jit_doubt *doubt = &all()->list[i];
		char what[160];
		if (!doubt->left)
			continue;
		is_left |= --doubt->left != 0;
		if (doubt->left || !doubt->is_open)
			continue;
		format(what, sizeof(what),
		       "code that the program has made holds at 0x%lx what may be an instruction with results of the "
		       "host's, or data: nobody can tell",
		       doubt->address);
		end_with_report(END_REFUSED, 0, what);
	}
	return is_left;
}

int jit_doubts_copy(struct jit_doubts *copy, const struct jit_doubts *from)
{
	*copy = (struct jit_doubts){0};
	if (!from->count)
		return 0;
	copy->list = kmalloc(from->count * sizeof(*copy->list));
	if (!copy->list)
		return -ENOMEM;
	memcpy(copy->list, from->list, from->count * sizeof(*copy->list));
	copy->count = copy->room = from->count;
	return 0;
}
