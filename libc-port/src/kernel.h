/* SPDX-License-Identifier: MIT */
/* The seam between libc and the kernel: its calls, and how their results become errno.
 *
 * libc passes its own structures where the kernel declares its linux_ ones: abi_check.c proves them equal. */
#ifndef LIBC_PORT_KERNEL_H
#define LIBC_PORT_KERNEL_H

#include <errno.h>

#include "kernel/sys/kcall.h"

/** The result of a kernel call as POSIX wants it: -1 and errno for a negative errno. */
static inline long kernel_result(long result)
{
	if (result >= 0 || result < -4095)
		return result;
	errno = (int)-result;
	return -1;
}

/** Fails with an error number: for what this system does not have. */
static inline int kernel_refuse(int error)
{
	errno = error;
	return -1;
}

#endif
