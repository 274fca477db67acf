/* SPDX-License-Identifier: MIT */
/* syscall(2): makes a call by its number. */
#include <stdarg.h>
#include <unistd.h>

#include "abi/restart.h"
#include "libc-port/src/kernel.h"

typedef long call(long, long, long, long, long, long);

/* All arguments have class INTEGER, so each call finds its arguments in the first registers. */
static call *find_call(long number)
{
	switch (number) {
#define CASE(number, name, cost, count, ...) \
	case number: \
		return (call *)(void (*)(void))kcall_##name;
		SYSCALL_LIST_COMMON(CASE)
		SYSCALL_LIST_NATIVE(CASE)
#undef CASE
	default:
		return NULL;
	}
}

long syscall(long number, ...)
{
	long arg[6];
	call *function = find_call(number);
	va_list args;
	if (!function)
		return kernel_refuse(ENOSYS);
	va_start(args, number);
	for (int i = 0; i < 6; i++)
		arg[i] = va_arg(args, long);
	va_end(args);
	long result;
	do
		result = function(arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	while (result == -EINTR && syscall_may_restart(number, (const void *)arg[3]) && kcall_restarts());
	return kernel_result(result);
}
