/* SPDX-License-Identifier: MIT */
/* getrandom(2): draws from the program's entropy stream. */
#include "abi/errno.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/device.h"

#define FLAGS_ALL 7U     /* GRND_NONBLOCK, GRND_RANDOM, GRND_INSECURE */
#define FLAGS_OPPOSED 6U /* the last two exclude each other */

long sys_getrandom(void *buf, unsigned long count, unsigned int flags)
{
	if (flags & ~FLAGS_ALL || (flags & FLAGS_OPPOSED) == FLAGS_OPPOSED)
		return -EINVAL;
	if (count > INT32_MAX)
		count = INT32_MAX;
	return device_draw(buf, count);
}
