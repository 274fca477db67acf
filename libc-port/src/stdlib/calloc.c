/* SPDX-License-Identifier: MIT */
/* calloc(3). newlib's does not check the multiplication for overflow, and then returns too little memory. */
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
