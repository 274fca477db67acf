/* SPDX-License-Identifier: MIT */
/* Functions of libc that access memory for their caller, and that compilers call for copies of structures. */
#include <stdio.h>
#include <string.h>

#include "next.h"

NEXT(memcpy, "GLIBC_2.14")
NEXT(memmove, NULL)
NEXT(memset, NULL)
NEXT(memcmp, NULL)
NEXT(memchr, NULL)
NEXT(strlen, NULL)
NEXT(strcmp, NULL)
NEXT(strncmp, NULL)
NEXT(strcpy, NULL)
NEXT(strncpy, NULL)
NEXT(strcat, NULL)
NEXT(strncat, NULL)
NEXT(strchr, NULL)
NEXT(strrchr, NULL)
NEXT(strstr, NULL)
NEXT(strdup, NULL)
NEXT(strnlen, NULL)
NEXT(puts, NULL)
NEXT(fputs, NULL)
NEXT(fwrite, NULL)
NEXT(fread, NULL)

#define READS(at, bytes) access_for(at, bytes, 0, CALLER)
#define WRITES(at, bytes) access_for(at, bytes, ACCESS_WRITE, CALLER)

EXPORT void *memcpy(void *to, const void *from, size_t bytes)
{
	READS(from, bytes);
	WRITES(to, bytes);
	return next_memcpy()(to, from, bytes);
}

EXPORT void *memmove(void *to, const void *from, size_t bytes)
{
	READS(from, bytes);
	WRITES(to, bytes);
	return next_memmove()(to, from, bytes);
}

EXPORT void *memset(void *to, int value, size_t bytes)
{
	WRITES(to, bytes);
	return next_memset()(to, value, bytes);
}

EXPORT void *__tsan_memcpy(void *to, const void *from, size_t bytes) __attribute__((alias("memcpy")));
EXPORT void *__tsan_memmove(void *to, const void *from, size_t bytes) __attribute__((alias("memmove")));
EXPORT void *__tsan_memset(void *to, int value, size_t bytes) __attribute__((alias("memset")));

EXPORT int memcmp(const void *a, const void *b, size_t bytes)
{
	READS(a, bytes);
	READS(b, bytes);
	return next_memcmp()(a, b, bytes);
}

EXPORT void *memchr(const void *at, int value, size_t bytes)
{
	void *found = next_memchr()(at, value, bytes);
	READS(at, found ? (size_t)((const char *)found - (const char *)at) + 1 : bytes);
	return found;
}

EXPORT size_t strlen(const char *text)
{
	const size_t bytes = next_strlen()(text);
	READS(text, bytes + 1);
	return bytes;
}

EXPORT size_t strnlen(const char *text, size_t max)
{
	const size_t bytes = next_strnlen()(text, max);
	READS(text, bytes < max ? bytes + 1 : max);
	return bytes;
}

/* Bytes of both texts up to where they differ. */
static size_t same_bytes(const char *a, const char *b, size_t max)
{
	size_t bytes = 0;
	while (bytes < max && a[bytes] == b[bytes] && a[bytes])
		bytes++;
	return bytes < max ? bytes + 1 : max;
}

EXPORT int strcmp(const char *a, const char *b)
{
	const size_t bytes = tsan_thread() ? same_bytes(a, b, SIZE_MAX) : 0;
	READS(a, bytes);
	READS(b, bytes);
	return next_strcmp()(a, b);
}

EXPORT int strncmp(const char *a, const char *b, size_t max)
{
	const size_t bytes = tsan_thread() ? same_bytes(a, b, max) : 0;
	READS(a, bytes);
	READS(b, bytes);
	return next_strncmp()(a, b, max);
}

EXPORT char *strcpy(char *to, const char *from)
{
	const size_t bytes = next_strlen()(from) + 1;
	READS(from, bytes);
	WRITES(to, bytes);
	return next_strcpy()(to, from);
}

EXPORT char *strncpy(char *to, const char *from, size_t bytes)
{
	const size_t length = next_strnlen()(from, bytes);
	READS(from, length < bytes ? length + 1 : bytes);
	WRITES(to, bytes);
	return next_strncpy()(to, from, bytes);
}

EXPORT char *strcat(char *to, const char *from)
{
	const size_t at = next_strlen()(to), bytes = next_strlen()(from) + 1;
	READS(from, bytes);
	READS(to, at + 1);
	WRITES(to + at, bytes);
	return next_strcat()(to, from);
}

EXPORT char *strncat(char *to, const char *from, size_t max)
{
	const size_t at = next_strlen()(to), bytes = next_strnlen()(from, max);
	READS(from, bytes < max ? bytes + 1 : max);
	READS(to, at + 1);
	WRITES(to + at, bytes + 1);
	return next_strncat()(to, from, max);
}

EXPORT char *strchr(const char *text, int value)
{
	char *found = next_strchr()(text, value);
	READS(text, found ? (size_t)(found - text) + 1 : next_strlen()(text) + 1);
	return found;
}

EXPORT char *strrchr(const char *text, int value)
{
	READS(text, next_strlen()(text) + 1);
	return next_strrchr()(text, value);
}

EXPORT char *strstr(const char *text, const char *part)
{
	READS(text, next_strlen()(text) + 1);
	READS(part, next_strlen()(part) + 1);
	return next_strstr()(text, part);
}

EXPORT char *strdup(const char *text)
{
	READS(text, next_strlen()(text) + 1);
	return next_strdup()(text);
}

EXPORT int puts(const char *text)
{
	READS(text, next_strlen()(text) + 1);
	return next_puts()(text);
}

EXPORT int fputs(const char *restrict text, FILE *restrict to)
{
	READS(text, next_strlen()(text) + 1);
	return next_fputs()(text, to);
}

EXPORT size_t fwrite(const void *restrict from, size_t bytes, size_t count, FILE *restrict to)
{
	READS(from, bytes * count);
	return next_fwrite()(from, bytes, count, to);
}

EXPORT size_t fread(void *restrict to, size_t bytes, size_t count, FILE *restrict from)
{
	const size_t got = next_fread()(to, bytes, count, from);
	WRITES(to, bytes * got);
	return got;
}
