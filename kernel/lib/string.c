/* SPDX-License-Identifier: MIT */
/* Memory and string functions for the kernel. They are hidden, so that they do not clash with libc's functions of the
 * same names. */
#include "kernel/lib/string.h"

#include <stdint.h>

#define WORDS_MAX 64 /* bytes up to which single words are faster than a string instruction, which begins slowly */

/* Copies up to 16 bytes by two words that may overlap. */
static void copy_little(uint8_t *to, const uint8_t *from, size_t bytes)
{
	uint64_t first, last;
	uint32_t half, other;
	if (bytes >= 8) {
		__builtin_memcpy(&first, from, 8);
		__builtin_memcpy(&last, from + bytes - 8, 8);
		__builtin_memcpy(to, &first, 8);
		__builtin_memcpy(to + bytes - 8, &last, 8);
	} else if (bytes >= 4) {
		__builtin_memcpy(&half, from, 4);
		__builtin_memcpy(&other, from + bytes - 4, 4);
		__builtin_memcpy(to, &half, 4);
		__builtin_memcpy(to + bytes - 4, &other, 4);
	} else {
		while (bytes--)
			*to++ = *from++;
	}
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	void *result = to;
	if (bytes <= WORDS_MAX) {
		uint8_t *t = to;
		const uint8_t *f = from;
		for (; bytes > 16; bytes -= 8, t += 8, f += 8)
			__builtin_memcpy(t, f, 8);
		copy_little(t, f, bytes);
		return result;
	}
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
	return result;
}

void *memmove(void *to, const void *from, size_t bytes)
{
	uint8_t *t = to;
	const uint8_t *f = from;
	if (t <= f || t >= f + bytes)
		return memcpy(to, from, bytes);
	while (bytes >= 8) {
		bytes -= 8;
		uint64_t word;
		__builtin_memcpy(&word, f + bytes, 8);
		__builtin_memcpy(t + bytes, &word, 8);
	}
	while (bytes--)
		t[bytes] = f[bytes];
	return to;
}

void *memset(void *to, int byte, size_t bytes)
{
	void *result = to;
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(byte) : "memory");
	return result;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
	const uint8_t *x = a, *y = b;
	for (uint64_t v, w; bytes >= sizeof(v); bytes -= sizeof(v), x += sizeof(v), y += sizeof(v)) {
		__builtin_memcpy(&v, x, sizeof(v));
		__builtin_memcpy(&w, y, sizeof(w));
		if (v != w)
			break;
	}
	for (size_t i = 0; i < bytes; i++)
		if (x[i] != y[i])
			return x[i] - y[i];
	return 0;
}

void *memchr(const void *from, int byte, size_t bytes)
{
	const uint8_t *f = from;
	for (size_t i = 0; i < bytes; i++)
		if (f[i] == (uint8_t)byte)
			return (void *)(f + i);
	return NULL;
}

size_t strlen(const char *s)
{
	size_t n = 0;
	while (s[n])
		n++;
	return n;
}

size_t strnlen(const char *s, size_t max)
{
	size_t n = 0;
	while (n < max && s[n])
		n++;
	return n;
}

int strcmp(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return (uint8_t)*a - (uint8_t)*b;
}

int strncmp(const char *a, const char *b, size_t max)
{
	for (size_t i = 0; i < max; i++)
		if (a[i] != b[i] || !a[i])
			return (uint8_t)a[i] - (uint8_t)b[i];
	return 0;
}

char *strchr(const char *s, int c)
{
	for (;; s++) {
		if (*s == (char)c)
			return (char *)s;
		if (!*s)
			return NULL;
	}
}
