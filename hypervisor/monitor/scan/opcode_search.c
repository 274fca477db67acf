/* SPDX-License-Identifier: MIT */
/* Tests 16 bytes at a time: a coarse test with SSE2, which every x86-64 processor has, and an exact test of the bytes
 * that pass. */
#include "scan/opcode_search.h"

#include <emmintrin.h>
#include <stdbool.h>
#include <string.h>

#include "abi/opcodes.h"

/* Whether the bytes are one of the opcodes of OPCODE_TRAPS; `before` is the byte before them. */
static bool is_trap_opcode(uint8_t before, const uint8_t *at, uint64_t left)
{
	uint8_t last[OPCODES_BYTES] = {0};
	if (left < OPCODES_BYTES)
		at = memcpy(last, at, left);
	return opcodes_may_trap(before, at) || opcodes_may_store_x87(at);
}

/* Whether the second byte of a 0xd9 is FSIN, FCOS, FSINCOS, FPTAN, FPATAN, F2XM1, FYL2X or FYL2XP1. */
static bool is_x87_function(uint8_t second)
{
	return (second >= 0xf0 && second <= 0xf3) || second == 0xf9 || second == 0xfb || second >= 0xfe;
}

/* Whether the bytes are an approximate instruction: RCPPS and RSQRTPS with their variants, or a function of the x87
 * unit. */
static bool is_varying(const uint8_t *at, uint64_t left)
{
	switch (at[0]) {
	case 0x0f:
		return left >= 2 && (at[1] & 0xfe) == 0x52;
	case 0xd9:
		return left >= 2 && is_x87_function(at[1]);
	case 0xc5: /* VEX: the opcode follows */
		return left >= 3 && (at[2] & 0xfe) == 0x52;
	case 0xc4:
		return left >= 4 && (at[1] & 0x1f) == 1 && (at[3] & 0xfe) == 0x52;
	case 0x62: /* EVEX: opcodes of maps 2 and 6 */
		if (left < 5 || (at[1] & 3) != 2)
			return false;
		return (at[4] & 0xfc) == 0x4c || at[4] == 0xc8 || (at[4] >= 0xca && at[4] <= 0xcd);
	default:
		return false;
	}
}

static bool is_opcode(const uint8_t *bytes, uint64_t at, uint64_t count, unsigned set)
{
	const uint8_t *here = bytes + at;
	if ((set & OPCODE_TRAPS) && is_trap_opcode(at ? here[-1] : 0, here, count - at))
		return true;
	if ((set & OPCODE_VARIES) && is_varying(here, count - at))
		return true;
	if ((set & OPCODE_SYSCALL) && count - at >= 2 && here[0] == 0x0f && here[1] == 0x05)
		return true;
	if ((set & OPCODE_PAUSE) && at && here[-1] == 0xf3 && here[0] == 0x90)
		return true;
	if (!(set & OPCODE_ATOMIC) || count - at < 2)
		return false;
	return here[0] == 0xf0 || ((here[0] & 0xfe) == 0x86 && here[1] < 0xc0); /* ModRM: memory */
}

static __m128i either(__m128i a, __m128i b)
{
	return _mm_or_si128(a, b);
}

/* Returns which of the 16 bytes at `at` pass the coarse test. Also reads the byte before and the byte after them. */
static unsigned sieve_opcodes(const uint8_t *at, unsigned set)
{
	const __m128i first = _mm_loadu_si128((const __m128i *)at);
	const __m128i second = _mm_loadu_si128((const __m128i *)(at + 1));
	__m128i hits = _mm_setzero_si128();
#define FIRST(byte) _mm_cmpeq_epi8(first, _mm_set1_epi8((char)(byte)))
#define SECOND(byte) _mm_cmpeq_epi8(second, _mm_set1_epi8((char)(byte)))
	if (set & OPCODE_TRAPS) {
		__m128i known = either(either(either(SECOND(0xa2), SECOND(0x31)), SECOND(0xae)), SECOND(0xc7));
		/* 00 to 03; 34 and 35 */
		known = either(known, _mm_cmpeq_epi8(_mm_min_epu8(second, _mm_set1_epi8(0x03)), second));
		known = either(known, either(SECOND(0x34), SECOND(0x35)));
		known = either(known, either(SECOND(0x38), SECOND(0x3a)));
		known = either(known, either(SECOND(0x78), SECOND(0x79)));
		hits = either(_mm_and_si128(FIRST(0x0f), known),
		              _mm_and_si128(either(FIRST(0xc6), FIRST(0xc7)), SECOND(0xf8)));
		const __m128i map = _mm_and_si128(second, _mm_set1_epi8(0x1f));
		hits = either(hits, _mm_and_si128(FIRST(0xc4), _mm_cmpeq_epi8(map, _mm_set1_epi8(0x02))));
		/* /6 in memory: 30 to 37, 70 to 77, b0 to b7 */
		const __m128i reg = _mm_and_si128(second, _mm_set1_epi8(0x38));
		hits = either(hits, _mm_and_si128(either(FIRST(0xd9), FIRST(0xdd)),
		                                  _mm_cmpeq_epi8(reg, _mm_set1_epi8(0x30))));
	}
	if (set & OPCODE_VARIES) {
		const __m128i approximate = _mm_and_si128(FIRST(0x0f), either(SECOND(0x52), SECOND(0x53)));
		const __m128i high = _mm_cmpeq_epi8(_mm_max_epu8(second, _mm_set1_epi8((char)0xf0)), second);
		hits = either(hits, either(approximate, _mm_and_si128(FIRST(0xd9), high)));
		hits = either(hits, either(FIRST(0x62), either(FIRST(0xc4), FIRST(0xc5))));
	}
	if (set & OPCODE_SYSCALL)
		hits = either(hits, _mm_and_si128(FIRST(0x0f), SECOND(0x05)));
	if (set & OPCODE_PAUSE)
		hits = either(hits,
		              _mm_and_si128(FIRST(0x90), _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(at - 1)),
		                                                        _mm_set1_epi8((char)0xf3))));
	if (set & OPCODE_ATOMIC)
		hits = either(hits, either(FIRST(0xf0), either(FIRST(0x86), FIRST(0x87))));
#undef FIRST
#undef SECOND
	return (unsigned)_mm_movemask_epi8(hits);
}

/* Tests the bytes of [from, to) one by one. */
static int search_slowly(const uint8_t *bytes, uint64_t from, uint64_t to, uint64_t count, unsigned set,
                         int (*visit)(void *context, uint64_t offset), void *context)
{
	for (uint64_t at = from; at < to; at++) {
		int result = is_opcode(bytes, at, count, set) ? visit(context, at) : 0;
		if (result)
			return result;
	}
	return 0;
}

int opcode_search(const uint8_t *bytes, uint64_t count, unsigned set, int (*visit)(void *context, uint64_t offset),
                  void *context)
{
	uint64_t at = count ? 1 : 0; /* the first byte has no byte before it, so it is tested alone */
	int result = search_slowly(bytes, 0, at, count, set, visit, context);
	for (; !result && at + 17 <= count; at += 16) {
		unsigned hits = sieve_opcodes(bytes + at, set);
		for (; hits && !result; hits &= hits - 1) {
			uint64_t offset = at + (unsigned)__builtin_ctz(hits);
			result = is_opcode(bytes, offset, count, set) ? visit(context, offset) : 0;
		}
	}
	return result ? result : search_slowly(bytes, at, count, count, set, visit, context);
}
