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

/** A kernel call that is made again after a handler with SA_RESTART (abi/restart.h): yields its result. */
#define KERNEL_RESTARTED(call) \
	({ \
		long restarted_result; \
		do \
			restarted_result = (call); \
		while (__builtin_expect(restarted_result == -EINTR, 0) && kcall_restarts()); \
		restarted_result; \
	})

/** Define a function that is the kernel call of its name: its type, its parameters, and the arguments of the call; with
 * what makes the call, KERNEL_RESTARTED or one of src/thread/thread.h. */
#define KERNEL_FUNCTION(type, name, parameters, arguments) \
	type name parameters \
	{ \
		return (type)kernel_result(kcall_##name arguments); \
	}
#define KERNEL_FUNCTION_BY(how, type, name, parameters, arguments) \
	type name parameters \
	{ \
		return (type)kernel_result(how(kcall_##name arguments)); \
	}

/** Fails with an error number: for what this system does not have. */
static inline int kernel_refuse(int error)
{
	errno = error;
	return -1;
}

#endif
