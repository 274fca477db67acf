/* SPDX-License-Identifier: MIT */
/* Searches jumps back by their bytes, and examines the code between target and jump as a loop. */
#include "code/code_waits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/die.h"
#include "code/code_loop.h"
#include "scan/disassembler.h"

/* Limit of instructions to disassemble in all: WORK_MIN, and WORK_FACTOR for each byte of code. It is needed because a
 * file can consist of jumps alone. Programs need less than a fifth of it. */
#define WORK_MIN (1UL << 20)
#define WORK_FACTOR 4

#define MOV_MAX 8      /* maximum length of a mov between a register and memory, in bytes */
#define COMPARE_MAX 11 /* maximum length of a comparison without REX, in bytes */

struct search {
	struct code_loop loop;
	struct code_waits *waits;
};

/* Returns the length of a ModRM byte with its SIB byte and displacement. */
static unsigned modrm_bytes(const uint8_t *at)
{
	unsigned mod = at[0] >> 6, rm = at[0] & 7, sib = mod != 3 && rm == 4;
	unsigned far = mod == 2 || (mod == 0 && (rm == 5 || (sib && (at[1] & 7) == 5)));
	return 1 + sib + (mod == 1) + 4 * far;
}

/* Whether `bytes` bytes are a comparison with a two-byte opcode: comis, ucomis, cmpxchg, or a bit test with a constant
 * bit number. */
static bool is_long_compare(const uint8_t *at, unsigned bytes)
{
	bool is_plain = (at[1] & 0xfe) == 0x2e || (at[1] & 0xfe) == 0xb0;
	bool is_of_bit = at[1] == 0xba && (at[2] >> 3 & 7) >= 4;
	return (is_plain || is_of_bit) && 2 + modrm_bytes(at + 2) + is_of_bit == bytes;
}

/* Whether `bytes` bytes are a comparison: cmp, test, and, or, or one of is_long_compare. */
static bool is_compare(const uint8_t *at, unsigned bytes)
{
	unsigned reg = at[1] >> 3 & 7;
	switch (at[0]) {
	case 0x3c: /* with %al or %eax */
	case 0xa8:
		return bytes == 2;
	case 0x3d:
	case 0xa9:
		return bytes == 5;
	case 0x80: /* with a constant */
	case 0x83:
		return (reg == 7 || reg == 4) && 1 + modrm_bytes(at + 1) + 1 == bytes;
	case 0x81:
		return (reg == 7 || reg == 4) && 1 + modrm_bytes(at + 1) + 4 == bytes;
	case 0xf6:
		return reg < 2 && 1 + modrm_bytes(at + 1) + 1 == bytes;
	case 0xf7:
		return reg < 2 && 1 + modrm_bytes(at + 1) + 4 == bytes;
	case 0x0f:
		return bytes > 2 && is_long_compare(at, bytes);
	default:
		return ((at[0] & 0xfe) == 0x84 || (at[0] & 0xfc) == 0x38 || (at[0] & 0xfc) == 0x20 ||
		        (at[0] & 0xfc) == 0x08) &&
		       1 + modrm_bytes(at + 1) == bytes;
	}
}

/* Returns the length of the instruction directly before a jump, if it seems to keep the flags of an earlier comparison:
 * jp or jne after a floating-point comparison, or setcc. Returns 0 for any other instruction. */
static unsigned between(const uint8_t *jump, uint64_t before)
{
	if (before > 6 && jump[-6] == 0x0f && (jump[-5] == 0x8a || jump[-5] == 0x85)) /* jp or jne */
		return 6;
	if (before > 2 && (jump[-2] == 0x7a || jump[-2] == 0x75))
		return 2;
	bool is_setcc = before > 4 && jump[-3] == 0x0f && (jump[-2] & 0xf0) == 0x90 && jump[-1] >= 0xc0;
	return is_setcc ? 3U + ((jump[-4] & 0xf0) == 0x40) : 0;
}

/* Whether `bytes` bytes are a mov between a register and memory or another register. */
static bool is_mov(const uint8_t *at, unsigned bytes)
{
	bool has_rex = (at[0] & 0xf0) == 0x40;
	return bytes > 1U + has_rex && (at[has_rex] == 0x8b || at[has_rex] == 0x89) &&
	       has_rex + 1 + modrm_bytes(at + has_rex + 1) == bytes;
}

static bool stands_before(const uint8_t *jump, uint64_t before)
{
	for (unsigned bytes = 2; bytes <= COMPARE_MAX && bytes <= before; bytes++)
		if (is_compare(jump - bytes, bytes))
			return true;
	return false;
}

/* Whether a comparison seems to stand directly before a jump, as compilers place it, or before one mov in between. This
 * test is fast and rejects most bytes that only look like a jump back. */
static bool follows_compare(const uint8_t *jump, uint64_t before)
{
	const unsigned other = between(jump, before);
	if (other)
		return follows_compare(jump - other, before - other);
	if (stands_before(jump, before))
		return true;
	for (unsigned bytes = 2; bytes <= MOV_MAX && bytes < before; bytes++)
		if (is_mov(jump - bytes, bytes) && stands_before(jump - bytes, before - bytes))
			return true;
	return false;
}

/* Whether a jump back begins at `at`, where `left` bytes can be read. Sets *length to its length, and *distance to the
 * distance from its end to its target. */
static bool is_jump_back(const uint8_t *at, uint64_t left, int64_t *distance, unsigned *length)
{
	int32_t far;
	if (left < 2)
		return false;
	if ((at[0] & 0xf0) == 0x70 || at[0] == 0xeb) {
		*distance = (int8_t)at[1];
		*length = 2;
		return *distance < -2;
	}
	bool is_conditional = at[0] == 0x0f && (at[1] & 0xf0) == 0x80;
	*length = is_conditional ? 6 : 5;
	if (left < *length || (!is_conditional && at[0] != 0xe9))
		return false;
	memcpy(&far, at + *length - sizeof(far), sizeof(far));
	*distance = far;
	return far < 0 && far > -CODE_LOOP_BYTES;
}

static int append(struct code_waits *waits, uint64_t address, bool is_sure)
{
	if (!array_reserve(waits->at, waits->room, waits->count + 1))
		return -ENOMEM;
	waits->at[waits->count++] = (struct code_wait){address, is_sure};
	return 0;
}

/* Whether the jump back and its target are instructions of the function, and not bytes that only look like them. The
 * first instruction of the function is at `start`. */
static bool is_in_step(struct code_loop *loop, uint64_t start)
{
	const struct code_area *area = loop->area;
	const uint64_t jump = loop->steps.at[loop->steps.count - 1].address;
	bool has_start = false;
	while (start < jump && loop->reader.work) {
		struct instruction in;
		uint64_t offset = start - area->address;
		unsigned length = disassemble(area->bytes + offset, area->count - offset, start, &in);
		loop->reader.work--;
		has_start |= start == loop->start;
		if (!length)
			return false;
		start += length;
	}
	return start == jump && has_start;
}

/* Examines all jumps back in a function's code. */
static int search(void *context, const struct code_area *area, const struct code_range *function)
{
	struct search *search = context;
	struct code_loop *loop = &search->loop;
	const uint64_t start = function->address, end = start + function->bytes;
	loop->area = area;
	for (uint64_t at = start; at < end && loop->reader.work; at++) {
		int64_t distance;
		unsigned length;
		bool is_sure;
		const uint8_t *jump = area->bytes + (at - area->address);
		if (!is_jump_back(jump, end - at, &distance, &length))
			continue;
		bool is_conditional = jump[0] != 0xeb && jump[0] != 0xe9;
		if (is_conditional && !follows_compare(jump, at - start))
			continue;
		loop->start = at + length + (uint64_t)distance;
		loop->end = at + length;
		if (loop->start < start || loop->start >= at)
			continue;
		size_t step = code_loop_point(loop, &is_sure);
		if (step != CODE_STEPS_NONE && is_in_step(loop, start) &&
		    append(search->waits, loop->steps.at[step].address, is_sure))
			return -ENOMEM;
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct code_wait *x = a, *y = b;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* Sorts the waits and removes duplicates, because one loop can have several jumps back. */
static void sort(struct code_waits *waits)
{
	size_t kept = 0;
	if (waits->count)
		qsort(waits->at, waits->count, sizeof(*waits->at), compare);
	for (size_t i = 0; i < waits->count; i++)
		if (!kept || waits->at[i].address != waits->at[kept - 1].address)
			waits->at[kept++] = waits->at[i];
	waits->count = kept;
}

int code_waits_find(struct code_map *map, struct code_waits *waits, char error[256])
{
	*waits = (struct code_waits){0};
	int result = disassembler_load(error);
	if (result)
		return result;
	struct search *all = calloc(1, sizeof(*all));
	if (all) {
		all->waits = waits;
		all->loop.reader.map = map;
		all->loop.reader.work = WORK_MIN;
		for (unsigned i = 0; i < map->area_count; i++)
			all->loop.reader.work += WORK_FACTOR * map->areas[i].count;
	}
	result = all ? code_map_each_function(map, search, all) : -ENOMEM;
	free(all);
	sort(waits);
	if (!result)
		return 0;
	free(waits->at);
	*waits = (struct code_waits){0};
	return refuse(error, ENOMEM, "out of memory");
}
