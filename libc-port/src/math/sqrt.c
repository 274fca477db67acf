/* SPDX-License-Identifier: MIT */
/* Square roots by the processor, which rounds them correctly (IEEE 754), under the names newlib's wrappers call. */
#include <math.h>

double __ieee754_sqrt(double x);
float __ieee754_sqrtf(float x);

double __ieee754_sqrt(double x)
{
	__asm__("sqrtsd %0, %0" : "+x"(x));
	return x;
}

float __ieee754_sqrtf(float x)
{
	__asm__("sqrtss %0, %0" : "+x"(x));
	return x;
}
