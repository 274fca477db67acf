/* SPDX-License-Identifier: MIT */
/* Translates addresses between a program's code and its stubs. */
#include <stdbool.h>

#include "kernel/arch/uaccess.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/memory/linux_space.h"
#include "kernel/linux/patch/stub_rounds.h"

/* Instructions of a stub: mov %rax, linux_point_rax, the same with rcx; xor %eax, %eax; lahf and seto %al; the jump
 * back. */
#define SAVE_BYTES 8UL
#define CLEAR_BYTES 2
#define FLAGS_BYTES 4
#define JUMP_BYTES 5

static struct stub_areas *areas(void)
{
	return &linux_space_self()->stubs;
}

/* The last place that starts at or before an offset, by site or by stub. */
static bool find_place(const struct stub_area *area, uint32_t offset, bool by_stub, struct stub_place *place)
{
	uint64_t low = 0, high = area->count;
	while (low < high) {
		uint64_t middle = (low + high) / 2;
		if (copy_from_user(place, (const void *)(area->places + middle * sizeof(*place)), sizeof(*place)))
			return false; /* the program has unmapped the stubs */
		if ((by_stub ? place->stub : place->site) <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low && !copy_from_user(place, (const void *)(area->places + (low - 1) * sizeof(*place)), sizeof(*place));
}

/* Searches from the newest area: the code of an older area at this address may have been unmapped. */
uint64_t stub_of(uint64_t address)
{
	struct stub_place place;
	for (size_t i = areas()->count; i--;) {
		const struct stub_area *area = &areas()->list[i];
		if (address < area->start || address >= area->end)
			continue;
		uint32_t offset = (uint32_t)(address - area->start);
		if (find_place(area, offset, false, &place) && place.site == offset)
			return area->at + place.stub;
	}
	return 0;
}

/* Bytes of the instruction itself in the stub. */
static unsigned kept_bytes(const struct stub_place *place)
{
	return stub_is_point(place->kind) || code_is_tick(place->kind) || place->kind == STUB_TICK_ROUNDS
	               ? place->length
	               : 0;
}

const struct stub_area *stub_area_of(uint64_t address, struct stub_place *place)
{
	for (size_t i = areas()->count; i--;) {
		const struct stub_area *area = &areas()->list[i];
		if (address >= area->at && address < area->places)
			return find_place(area, (uint32_t)(address - area->at), true, place) ? area : NULL;
	}
	return NULL;
}

/* The target of the jump at an address of a stub, if that is one of the jumps at the end of a copied loop's; else 0. */
static uint64_t island_target(const struct stub_area *area, const struct stub_place *place, uint64_t address)
{
	const uint64_t slow = stub_tick_is_plain(place->kind) ? LINUX_TICK_SLOW_BYTES : LINUX_TICK_FLAGS_SLOW_BYTES;
	const uint64_t first = place->before + stub_added_bytes(place->kind) + place->length + place->after +
	                       JUMP_BYTES + slow,
		       offset = address - area->at - place->stub;
	int32_t distance;
	if (!place->replaced || offset < first ||
	    copy_from_user(&distance, (const void *)(address + JUMP_BYTES - sizeof(distance)), sizeof(distance)))
		return 0;
	return address + JUMP_BYTES + (uint64_t)(int64_t)distance;
}

uint64_t stub_original(uint64_t address)
{
	struct stub_place place;
	const struct stub_area *area = stub_area_of(address, &place);
	if (!area)
		return address;
	uint64_t site = area->start + place.site, offset = address - area->at - place.stub;
	struct stub_round round;
	if (stub_rounds_find(area, &place, address, 0, &round))
		return round.original;
	const uint64_t target = island_target(area, &place, address);
	if (target && target - (area->at + place.stub) >= offset)
		return target;
	if (target) /* in the copy of the loop, which is before the islands */
		offset = target - area->at - place.stub;
	uint64_t behind = place.before + stub_added_bytes(place.kind) + kept_bytes(&place);
	if (offset <= place.before)
		return site + offset;
	if (offset >= behind && offset <= behind + place.after)
		return site + place.before + place.length + (offset - behind);
	bool is_instruction = kept_bytes(&place) && offset == place.before + stub_added_bytes(place.kind);
	return is_instruction ? site + place.before : address;
}

/* The offsets in a stub, behind the instructions before the patched one, from which on rax and rcx are saved;
 * UINT64_MAX: never. */
static void find_saves(const struct stub_place *place, uint64_t *rax, uint64_t *rcx)
{
	const uint64_t slow = (uint64_t)stub_added_bytes(place->kind) + kept_bytes(place) + place->after + JUMP_BYTES;
	*rax = *rcx = UINT64_MAX;
	if (stub_is_point(place->kind)) {
		*rax = SAVE_BYTES;
		*rcx = 2 * SAVE_BYTES;
	} else if (place->kind == CODE_TICK_FLAGS) {
		*rax = SAVE_BYTES;
		*rcx = slow + SAVE_BYTES;
	} else if (place->kind == CODE_TICK_COUNT) {
		*rax = SAVE_BYTES;
		*rcx = 2 * SAVE_BYTES + FLAGS_BYTES;
	} else if (stub_tick_is_plain(place->kind)) {
		*rax = slow + SAVE_BYTES;
		*rcx = slow + 2 * SAVE_BYTES + CLEAR_BYTES;
	}
}

uint64_t stub_leave(uint64_t address, uint64_t *rax, uint64_t *rcx)
{
	struct stub_place place;
	struct stub_round round;
	const uint64_t original = stub_original(address);
	const struct stub_area *area = stub_area_of(address, &place);
	if (area && stub_rounds_find(area, &place, address, *rax, &round)) {
		*rax = round.has_rax ? linux_point_rax : *rax;
		*rcx = round.has_rcx ? linux_point_rcx : *rcx;
		return original;
	}
	if (!area || original != address)
		return original;
	const uint64_t offset = address - area->at - place.stub - place.before;
	uint64_t rax_from, rcx_from;
	find_saves(&place, &rax_from, &rcx_from);
	if (offset >= rax_from)
		*rax = linux_point_rax;
	if (offset >= rcx_from)
		*rcx = linux_point_rcx;
	return area->start + place.site + place.before;
}

uint64_t stub_going_on(uint64_t address)
{
	struct stub_place place;
	for (size_t i = areas()->count; i--;) {
		const struct stub_area *area = &areas()->list[i];
		if (address < area->start || address >= area->end)
			continue;
		if (!find_place(area, (uint32_t)(address - area->start), false, &place))
			continue;
		uint64_t offset = address - area->start - place.site, stub = area->at + place.stub;
		uint64_t behind = place.before + place.length;
		const unsigned moved = place.replaced ? place.replaced - place.length : place.after;
		if (!offset || offset >= behind + moved || (place.replaced && offset <= place.before))
			return address; /* what is not replaced of a loop that is copied is still there */
		if (offset <= place.before)
			return stub + offset;
		return offset < behind ? address
		                       : stub + place.before + stub_added_bytes(place.kind) + kept_bytes(&place) +
		                                 (offset - behind);
	}
	return address;
}

/* The area of the stub with the copy of a loop that has the instruction at an address of the program; NULL: none. Sets
 * its place, and the offset of the instruction in the loop. */
static const struct stub_area *find_copy(uint64_t address, struct stub_place *place, uint64_t *offset)
{
	for (size_t i = areas()->count; i--;) {
		const struct stub_area *area = &areas()->list[i];
		if (address < area->start || address >= area->end)
			continue;
		if (!find_place(area, (uint32_t)(address - area->start), false, place) || !place->replaced)
			continue;
		*offset = address - area->start - place->site;
		const uint64_t behind = (uint64_t)place->before + place->length;
		if (*offset < behind + place->after && (*offset <= place->before || *offset >= behind))
			return area;
	}
	return NULL;
}

uint64_t stub_copied(uint64_t address, bool *is_replaced)
{
	struct stub_place place;
	uint64_t offset;
	const struct stub_area *area = find_copy(address, &place, &offset);
	*is_replaced = area && offset >= place.before && offset < (uint64_t)place.before + place.replaced;
	if (!area)
		return 0;
	return area->at + place.stub + offset + (offset <= place.before ? 0 : stub_added_bytes(place.kind));
}

uint64_t stub_rounds_jump(uint64_t address)
{
	struct stub_place place;
	uint64_t offset;
	const struct stub_area *area = find_copy(address, &place, &offset);
	if (!area || !place.rounds)
		return 0;
	return area->at + place.stub + place.before + STUB_TEST_BYTES - STUB_TEST_JUMP_BYTES;
}
