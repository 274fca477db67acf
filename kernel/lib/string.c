/* SPDX-License-Identifier: MIT */
/* Memory and string functions for the kernel. They are hidden, so that they do not clash with libc's functions of the
 * same names. */
#include "kernel/lib/string.h"

#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	void *result = to;
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
