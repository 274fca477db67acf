/* SPDX-License-Identifier: MIT */
/* Searches jumps back by their bytes, and examines the code between target and jump as a loop. Several threads work on
 * parts of the code, which do not depend on their number. */
#include "code/code_waits.h"

#include <emmintrin.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/beside.h"
#include "code/code_loop.h"
#include "scan/disassembler.h"

/* A part: the functions that begin in so many bytes of an area. */
#define PART_BYTES (1UL << 20)

/* Limit of instructions to disassemble for a part: WORK_MIN, and WORK_FACTOR for each byte. It is needed because a file
 * can consist of jumps alone. Programs need less than a fifth of it. */
#define WORK_MIN (1UL << 20)
#define WORK_FACTOR 4

#define THREADS_MAX 16

#define SIEVE_BYTES 21
#define MOV_MAX 8      /* maximum length of a mov between a register and memory, in bytes */
#define COMPARE_MAX 11 /* maximum length of a comparison without REX, in bytes */

/* The parts of all areas, in order. The thread that comes to one first takes it. */
struct parts {
	struct code_map *map;
	size_t count;
	atomic_bool *are_taken;
	size_t first[CODE_AREAS_MAX]; /* of each area */
};

/* What one thread does. */
struct search {
	struct code_loop loop;
	struct code_waits waits;
	struct parts *parts;
	size_t part; /* that the loop's work is for, from 1 on */
	bool is_mine;
	int result;
	pthread_t thread;
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

/* Which of the 16 bytes at `at` may begin a jump back. Reads SIEVE_BYTES bytes. */
static unsigned sieve_jumps(const uint8_t *at)
{
	const __m128i first = _mm_loadu_si128((const __m128i *)at);
	const __m128i second = _mm_loadu_si128((const __m128i *)(at + 1));
	const __m128i ones = _mm_set1_epi8((char)0xff);
#define FIRST(byte) _mm_cmpeq_epi8(first, _mm_set1_epi8((char)(byte)))
#define HIGHEST(offset) _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(at + (offset))), ones)
	const __m128i kind = _mm_and_si128(first, _mm_set1_epi8((char)0xf0));
	__m128i jumps = _mm_or_si128(_mm_cmpeq_epi8(kind, _mm_set1_epi8(0x70)), FIRST(0xeb));
	jumps = _mm_and_si128(jumps, second); /* whose highest bit is the sign of the distance */
	jumps = _mm_or_si128(jumps, _mm_and_si128(FIRST(0x0f), HIGHEST(5)));
	jumps = _mm_or_si128(jumps, _mm_and_si128(FIRST(0xe9), HIGHEST(4)));
#undef FIRST
#undef HIGHEST
	return (unsigned)_mm_movemask_epi8(jumps);
}

/* Returns the first address from `at` on, before `end`, where a jump back may begin; else `end`. */
static uint64_t next_jump(const struct code_area *area, uint64_t at, uint64_t end)
{
	while (at < end && area->count - (at - area->address) >= SIEVE_BYTES) {
		const unsigned found = sieve_jumps(area->bytes + (at - area->address));
		if (found) {
			at += (unsigned)__builtin_ctz(found);
			return at < end ? at : end;
		}
		at += 16;
	}
	return at < end ? at : end;
}

static int append_wait(struct code_waits *waits, const struct code_wait *wait)
{
	if (!array_reserve(waits->at, waits->room, waits->count + 1))
		return -ENOMEM;
	waits->at[waits->count++] = *wait;
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

/* Takes the part in which a function begins, unless another thread has. Returns whether it is this thread's. */
static bool take_part(struct search *search, const struct code_area *area, uint64_t address)
{
	struct parts *parts = search->parts;
	const size_t part = parts->first[area - parts->map->areas] + (address - area->address) / PART_BYTES;
	if (search->part == part + 1)
		return search->is_mine;
	search->part = part + 1;
	search->is_mine = !atomic_exchange(&parts->are_taken[part], true);
	search->loop.reader.work = WORK_MIN + WORK_FACTOR * PART_BYTES;
	return search->is_mine;
}

/* Examines all jumps back in a function's code. */
static int search_function(void *context, const struct code_area *area, const struct code_range *function)
{
	struct search *search = context;
	struct code_loop *loop = &search->loop;
	if (!take_part(search, area, function->address))
		return 0;
	const uint64_t start = function->address, end = start + function->bytes;
	loop->area = area;
	for (uint64_t at = next_jump(area, start, end); at < end && loop->reader.work;
	     at = next_jump(area, at + 1, end)) {
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
		if (step == CODE_STEPS_NONE || !is_in_step(loop, start))
			continue;
		const struct code_wait wait = {.address = loop->steps.at[step].address, .jump = at, .is_sure = is_sure};
		if (append_wait(&search->waits, &wait))
			return -ENOMEM;
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct code_wait *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->jump < y->jump ? -1 : x->jump > y->jump;
}

/* Sorts the waits and removes duplicates, because one loop can have several jumps back: the first one counts. */
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

static void *search_parts(void *context)
{
	struct search *search = context;
	search->result = code_map_each_function(search->parts->map, search_function, search);
	return NULL;
}

/* Divides the code. Returns 0 or -ENOMEM. */
static int divide(struct code_map *map, struct parts *parts)
{
	*parts = (struct parts){.map = map};
	for (unsigned i = 0; i < map->area_count; i++) {
		parts->first[i] = parts->count;
		parts->count += map->areas[i].count / PART_BYTES + 1;
	}
	parts->are_taken = calloc(parts->count + 1, sizeof(*parts->are_taken));
	return parts->are_taken ? 0 : -ENOMEM;
}

/* Adds the waits of one thread, and frees them. */
static int gather(struct search *search, struct code_waits *waits)
{
	int result = search->result;
	for (size_t i = 0; i < search->waits.count && !result; i++)
		result = append_wait(waits, &search->waits.at[i]);
	free(search->waits.at);
	return result;
}

/* Searches all parts, with as many threads as the parts and the processors allow. */
static int search_all(struct parts *parts, struct code_waits *waits)
{
	unsigned wanted = beside_processors(), count = 0;
	if (wanted > THREADS_MAX)
		wanted = THREADS_MAX;
	if (wanted > parts->count)
		wanted = (unsigned)parts->count;
	struct search *all = calloc(wanted, sizeof(*all));
	if (!all)
		return -ENOMEM;
	for (unsigned i = 0; i < wanted; i++) {
		all[i].parts = parts;
		all[i].loop.reader.map = parts->map;
	}
	while (count + 1 < wanted && !beside_create(&all[count + 1].thread, search_parts, &all[count + 1]))
		count++;
	search_parts(&all[0]);
	for (unsigned i = 1; i <= count; i++)
		pthread_join(all[i].thread, NULL);
	int result = 0;
	for (unsigned i = 0; i <= count; i++) {
		const int gathered = gather(&all[i], waits);
		result = result ? result : gathered;
	}
	free(all);
	return result;
}

int code_waits_find(struct code_map *map, struct code_waits *waits, struct error *error)
{
	struct parts parts;
	*waits = (struct code_waits){0};
	int result = disassembler_load(error);
	if (result)
		return result;
	result = divide(map, &parts);
	if (!result)
		result = code_map_read(map);
	if (!result && parts.count)
		result = search_all(&parts, waits);
	free(parts.are_taken);
	sort(waits);
	if (!result)
		return 0;
	free(waits->at);
	*waits = (struct code_waits){0};
	return error_set(error, ENOMEM, "out of memory");
}
