/* SPDX-License-Identifier: MIT */
/* Entropy from the program's seeded stream; newlib's arc4random draws from getentropy. */
#include <sys/random.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"

KERNEL_FUNCTION(ssize_t, getrandom, (void *buf, size_t size, unsigned flags), (buf, size, flags))

int getentropy(void *buf, size_t size)
{
	if (size > 256)
		return kernel_refuse(EIO);
	return getrandom(buf, size, 0) < 0 ? -1 : 0;
}
