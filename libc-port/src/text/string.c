/* SPDX-License-Identifier: MIT */
/* memcpy, memmove, memset and strlen with SSE2, which every x86-64 has. newlib's move eight bytes or one at a time.
 *
 * Ticks are counted by length. Short blocks are moved by loads from both ends, which may overlap; all loads come before
 * the first store. */
#include <emmintrin.h>
#include <stdint.h>
#include <string.h>

#include "libc-port/src/ticks.h"

/* Ticks of a call, and bytes moved for each further tick. */
#define CALL_TICKS 6
#define TICK_BYTES 4

/* From here on the processor's own string instructions are the fastest. */
#define LONG_BYTES 2048

static inline __m128i load(const void *from)
{
	return _mm_loadu_si128(from);
}

static inline void store(void *to, __m128i value)
{
	_mm_storeu_si128(to, value);
}

/* Fewer than 16 bytes: two words of the largest size that fits, from both ends. */
static inline void move_short(uint8_t *t, const uint8_t *f, size_t n)
{
	if (n >= 8) {
		uint64_t a, b;
		__builtin_memcpy(&a, f, 8);
		__builtin_memcpy(&b, f + n - 8, 8);
		__builtin_memcpy(t, &a, 8);
		__builtin_memcpy(t + n - 8, &b, 8);
	} else if (n >= 4) {
		uint32_t a, b;
		__builtin_memcpy(&a, f, 4);
		__builtin_memcpy(&b, f + n - 4, 4);
		__builtin_memcpy(t, &a, 4);
		__builtin_memcpy(t + n - 4, &b, 4);
	} else if (n) {
		uint8_t a = f[0], b = f[n / 2], c = f[n - 1];
		t[0] = a;
		t[n / 2] = b;
		t[n - 1] = c;
	}
}

/* 16 to 128 bytes. */
static inline void move_middle(uint8_t *t, const uint8_t *f, size_t n)
{
	__m128i a = load(f), z = load(f + n - 16);
	if (n > 32) {
		__m128i b = load(f + 16), y = load(f + n - 32);
		if (n > 64) {
			__m128i c = load(f + 32), d = load(f + 48), w = load(f + n - 64), x = load(f + n - 48);
			store(t + 32, c);
			store(t + 48, d);
			store(t + n - 64, w);
			store(t + n - 48, x);
		}
		store(t + 16, b);
		store(t + n - 32, y);
	}
	store(t, a);
	store(t + n - 16, z);
}

static inline void move_block(uint8_t *t, const uint8_t *f)
{
	__m128i a = load(f), b = load(f + 16), c = load(f + 32), d = load(f + 48);
	store(t, a);
	store(t + 16, b);
	store(t + 32, c);
	store(t + 48, d);
}

void *memmove(void *to, const void *from, size_t n)
{
	uint8_t *t = to;
	const uint8_t *f = from;
	ticks_charge(CALL_TICKS + n / TICK_BYTES);
	if (n < 16) {
		move_short(t, f, n);
	} else if (n <= 128) {
		move_middle(t, f, n);
	} else if ((uintptr_t)t - (uintptr_t)f >=
	           n) { /* copying forwards overwrites no bytes that are still to be read */
		if (n >= LONG_BYTES && (uintptr_t)f - (uintptr_t)t >= n) {
			__asm__ volatile("rep movsb" : "+D"(t), "+S"(f), "+c"(n) : : "memory");
			return to;
		}
		__m128i w = load(f + n - 64), x = load(f + n - 48), y = load(f + n - 32), z = load(f + n - 16);
		uint8_t *end = t + n;
		for (; n > 64; n -= 64, t += 64, f += 64)
			move_block(t, f);
		store(end - 64, w);
		store(end - 48, x);
		store(end - 32, y);
		store(end - 16, z);
	} else {
		__m128i a = load(f), b = load(f + 16), c = load(f + 32), d = load(f + 48);
		for (; n > 64; n -= 64)
			move_block(t + n - 64, f + n - 64);
		store(t, a);
		store(t + 16, b);
		store(t + 32, c);
		store(t + 48, d);
	}
	return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	return memmove(to, from, n);
}

void *memset(void *to, int byte, size_t n)
{
	uint8_t *t = to;
	ticks_charge(CALL_TICKS + n / TICK_BYTES);
	uint64_t word = 0x0101010101010101 * (uint8_t)byte;
	if (n < 16) {
		if (n >= 8) {
			__builtin_memcpy(t, &word, 8);
			__builtin_memcpy(t + n - 8, &word, 8);
		} else if (n >= 4) {
			__builtin_memcpy(t, &word, 4);
			__builtin_memcpy(t + n - 4, &word, 4);
		} else if (n) {
			t[0] = t[n / 2] = t[n - 1] = (uint8_t)byte;
		}
		return to;
	}
	if (n >= LONG_BYTES) {
		__asm__ volatile("rep stosb" : "+D"(t), "+c"(n) : "a"(byte) : "memory");
		return to;
	}
	__m128i value = _mm_set1_epi64x((int64_t)word);
	uint8_t *end = t + n;
	for (; n > 16; n -= 16, t += 16)
		store(t, value);
	store(end - 16, value);
	return to;
}

/* Aligned loads cross no page, so reading beyond the end, or before the start, is harmless. */
static inline size_t length(const char *s)
{
	const __m128i zero = _mm_setzero_si128();
	const __m128i *at = (const __m128i *)((uintptr_t)s & ~15UL);
	unsigned skip = (uintptr_t)s & 15;
	unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128(at), zero)) >> skip;
	if (found)
		return (size_t)__builtin_ctz(found);
	for (;;) {
		found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128(++at), zero));
		if (found)
			return (size_t)((const char *)at - s) + (size_t)__builtin_ctz(found);
	}
}

size_t strlen(const char *s)
{
	size_t n = length(s);
	ticks_charge(CALL_TICKS + n / TICK_BYTES);
	return n;
}
