/* SPDX-License-Identifier: MIT */
/* Digits of a floating-point number for printf, in place of newlib's ldtoa.c. newlib's printf converts every double to
 * long double. Its ldtoa emulates arithmetic, which takes 5 us and 40 KiB of code, and stops after 42 digits. Here a
 * value that is still a double uses dtoa, which is exact and 20 times as fast. Other values are written out completely
 * and then rounded, halves to even. */
#include <assert.h>
#include <math.h>
#include <reent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libc-port/src/math/long_double.h"

char *_dtoa_r(struct _reent *reent, double value, int mode, int digits, int *point, int *negative, char **end);
char *_ldtoa_r(struct _reent *reent, long double value, int mode, int digits, int *point, int *negative, char **end);
int _ldcheck(const long double *value);

/* The longest number is 64 bits by 5^16445: 11514 digits. */
enum { LIMB = 1000000000, LIMB_DIGITS = 9, LIMBS = 1290, SIGNIFICANT = 2, BEHIND_POINT = 3 };

/* A natural number, its lowest limb first. */
struct decimal {
	int used;
	uint32_t limb[LIMBS];
};

static void multiply(struct decimal *n, uint32_t factor)
{
	uint64_t carry = 0;
	for (int i = 0; i < n->used; i++) {
		carry += (uint64_t)n->limb[i] * factor;
		n->limb[i] = (uint32_t)(carry % LIMB);
		carry /= LIMB;
	}
	if (carry)
		n->limb[n->used++] = (uint32_t)carry;
}

/* Multiplies by base^exponent. AT_ONCE is base^STEP, below LIMB. */
static void multiply_power(struct decimal *n, uint32_t base, uint32_t at_once, int step, int exponent)
{
	for (; exponent >= step; exponent -= step)
		multiply(n, at_once);
	for (; exponent > 0; exponent--)
		multiply(n, base);
}

/* Writes all digits of a number other than 0, at most LIMBS * LIMB_DIGITS. Returns their count. */
static long write_digits(const struct decimal *n, char *text)
{
	long length = 0;
	for (int i = n->used - 1; i >= 0; i--)
		for (uint32_t unit = LIMB / 10; unit; unit /= 10) {
			char digit = (char)('0' + n->limb[i] / unit % 10);
			if (length || digit != '0')
				text[length++] = digit;
		}
	return length;
}

/* Whether dropping the digits from KEPT on rounds away from 0. A half rounds to an even digit. */
static bool rounds_up(const char *text, long length, long kept)
{
	if (text[kept] != '5')
		return text[kept] > '5';
	for (long i = kept + 1; i < length; i++)
		if (text[i] != '0')
			return true;
	return kept && (text[kept - 1] - '0') % 2;
}

/* Rounds to KEPT digits, which are fewer than there are. Returns how many are left; one more, with *carried set, if a
 * carry added a leading 1. */
static long round_digits(char *text, long length, long kept, bool *carried)
{
	bool up = rounds_up(text, length, kept);
	*carried = false;
	if (!up)
		return kept;
	while (kept && text[kept - 1] == '9')
		kept--;
	*carried = kept == 0;
	if (kept == 0)
		text[kept++] = '1';
	else
		text[kept - 1]++;
	return kept;
}

static __thread char *last_text;
static __thread size_t last_size;

static void free_buffer(void *)
{
	free(last_text);
}

/* Returns a buffer for the thread's result, which is valid until the next call. */
static char *buffer(size_t size)
{
	int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *image);
	if (!last_text)
		__cxa_thread_atexit_impl(free_buffer, NULL, NULL);
	if (size > last_size) {
		char *grown = realloc(last_text, size);
		if (!grown)
			return NULL;
		last_text = grown;
		last_size = size;
	}
	return last_text;
}

/* Converts a finite value other than 0, in one of the two modes. Returns NULL without memory. */
static char *exact(long double value, int mode, int digits, int *point, char **end)
{
	union long_double u = {.value = value};
	struct decimal n = {.used = 3};
	int biased = u.sign_exponent & 0x7fff, exponent = (biased ? biased : 1) - LONG_DOUBLE_BIAS - 63;
	bool carried = false;
	n.limb[0] = (uint32_t)(u.fraction % LIMB);
	n.limb[1] = (uint32_t)(u.fraction / LIMB % LIMB);
	n.limb[2] = (uint32_t)(u.fraction / LIMB / LIMB);
	/* m * 2^-k equals m * 5^k with the point k digits further left. */
	if (exponent >= 0)
		multiply_power(&n, 2, 1U << 29, 29, exponent);
	else
		multiply_power(&n, 5, 244140625, 12, -exponent);
	/* printf appends zeros in place, up to the digits it wants. */
	size_t wanted = digits > 0 ? (size_t)digits : 0;
	char *text = buffer(LIMBS * LIMB_DIGITS + wanted + 8);
	if (!text)
		return NULL;
	long length = write_digits(&n, text), before = length - (exponent < 0 ? -exponent : 0);
	long kept = mode == BEHIND_POINT ? before + digits : digits > 1 ? digits : 1;
	if (kept < 0) {
		length = 0;
	} else if (kept < length) {
		length = round_digits(text, length, kept, &carried);
		before += carried;
	}
	while (length && text[length - 1] == '0')
		length--;
	text[length] = 0;
	*point = (int)(length ? before : -digits);
	if (end)
		*end = text + length;
	return text;
}

/* Like _dtoa_r, for the modes that printf uses. Without memory the program ends, as in newlib's dtoa. */
char *_ldtoa_r(struct _reent *reent, long double value, int mode, int digits, int *point, int *negative, char **end)
{
	double narrow = (double)value;
	if ((long double)narrow == value || isnan(value))
		return _dtoa_r(reent, narrow, mode, digits, point, negative, end);
	assert(mode == SIGNIFICANT || mode == BEHIND_POINT);
	char *text = exact(value, mode, digits, point, end);
	assert(text && "memory for the digits of a long double");
	*negative = long_double_negative(value);
	return text;
}

/* 0: finite, 1: NaN, 2: infinite. */
int _ldcheck(const long double *value)
{
	return isnan(*value) ? 1 : isinf(*value) ? 2 : 0;
}
