/* SPDX-License-Identifier: MIT */
/* calloc(3), because newlib's multiplies without looking for an overflow and then returns too little memory. */
#include <errno.h>
#include <reent.h>
#include <stdlib.h>

void *calloc(size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return _calloc_r(_REENT, 1, bytes);
}
