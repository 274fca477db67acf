/* SPDX-License-Identifier: MIT */
/* What the port adds to newlib's printf: between the files that do it. */
#ifndef LIBC_PORT_PRINTF_H
#define LIBC_PORT_PRINTF_H

#include <stdbool.h>
#include <stdio.h>

/** Bytes of the longest output of hex_float_digits: 0x, 16 digits, a point, p, sign, five digits of exponent. */
#define HEX_FLOAT_SIZE 32

/** The parts of one conversion of a format. */
struct conversion {
	const char *flags; /**< FLAGS_LENGTH bytes of -+ #0' */
	int flags_length;
	int width, precision;           /**< -1 for none */
	int width_from, precision_from; /**< the arguments that hold them, -1 for none */
	const char *size;               /**< SIZE_LENGTH bytes of hlLqjzt */
	int size_length;
	char letter; /**< 0 where the format ends too soon */
	int value_from;
};

/** A finite number in glibc's hexadecimal form, without its sign.
 *
 * @param value     the number; its sign is ignored
 * @param wide      it is a long double, whose first digit has four bits; else a double's, which is 0 or 1
 * @param precision digits behind the point, -1 for as many as there are; beyond 15, zeros are the caller's to add
 * @param point     a point even where no digit follows
 * @param out       HEX_FLOAT_SIZE bytes, which are terminated
 * @return where the p of the exponent is */
int hex_float_digits(long double value, bool wide, int precision, bool point, char *out);

#endif
