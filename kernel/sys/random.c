/* SPDX-License-Identifier: MIT */
/* getrandom(2): draws from the program's entropy stream. */
#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/rand/entropy.h"
#include "kernel/sys/sys.h"

#define FLAGS_ALL 7U     /* GRND_NONBLOCK, GRND_RANDOM, GRND_INSECURE */
#define FLAGS_OPPOSED 6U /* the last two, which are not for one call */

long sys_getrandom(void *buf, unsigned long count, unsigned int flags)
{
	uint8_t drawn[256];
	if (flags & ~FLAGS_ALL || (flags & FLAGS_OPPOSED) == FLAGS_OPPOSED)
		return -EINVAL;
	if (count > INT32_MAX)
		count = INT32_MAX;
	for (unsigned long done = 0; done < count;) {
		unsigned long part = count - done < sizeof(drawn) ? count - done : sizeof(drawn);
		entropy_draw(ENTROPY_PROGRAM, drawn, part);
		if (copy_to_user((uint8_t *)buf + done, drawn, part))
			return done ? (long)done : -EFAULT;
		done += part;
	}
	return (long)count;
}
