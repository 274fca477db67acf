/* SPDX-License-Identifier: MIT */
/* The x87 extended format: 64 bits of significand, the leading one written out (Intel SDM volume 1, 4.2.2). */
#ifndef LIBC_PORT_LONG_DOUBLE_H
#define LIBC_PORT_LONG_DOUBLE_H

#include <stdint.h>

union long_double {
	long double value;
	struct {
		uint64_t fraction;
		uint16_t sign_exponent; /* bit 15 the sign, then the exponent, biased by 16383 */
	};
};

#define LONG_DOUBLE_BIAS 16383
#define LONG_DOUBLE_SPECIAL 0x7fff /* the exponent of infinities and NaNs */

static inline int long_double_negative(long double x)
{
	return ((union long_double){.value = x}).sign_exponent >> 15;
}

#endif
