/* SPDX-License-Identifier: MIT */
/* Kernel entries for programs: each system call counted, timed by the virtual clock and chained into the digest.
 *
 * kcall_NAME takes what the system call of that name takes on Linux (its manual page, section 2) and returns
 * what the raw call returns: 0 or more, or a negative errno. A kernel entry is a function call. */
#ifndef KERNEL_SYS_KCALL_H
#define KERNEL_SYS_KCALL_H

#include <stdbool.h>

#include "abi/syscalls.h"

#define KCALL_DECLARE(number, name, cost, count, ...) \
	__attribute__((visibility("default"))) long kcall_##name(SYSCALL_PARAMS_##count(__VA_ARGS__));
SYSCALL_LIST(KCALL_DECLARE)
#undef KCALL_DECLARE

/**
 * In a native image, when a call has failed with -EINTR and before the next one: whether it is to be made again if it
 * is one of those that are (abi/restart.h), because SA_RESTART says so or no handler ran. The caller does that.
 */
__attribute__((visibility("default"))) bool kcall_restarts(void);

#endif
