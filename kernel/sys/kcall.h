/* SPDX-License-Identifier: MIT */
/* Kernel entries for programs: each system call is counted, timed by the virtual clock and chained into the digest.
 *
 * kcall_NAME takes the arguments of the Linux system call of that name (manual page, section 2) and returns what the
 * raw call returns: 0 or more, or a negative errno. A kernel entry is a function call. */
#ifndef KERNEL_SYS_KCALL_H
#define KERNEL_SYS_KCALL_H

#include <stdbool.h>

#include "abi/syscalls.h"

#define KCALL_DECLARE(number, name, cost, count, ...) \
	__attribute__((visibility("default"))) long kcall_##name(SYSCALL_PARAMS_##count(__VA_ARGS__));
SYSCALL_LIST(KCALL_DECLARE)
#undef KCALL_DECLARE

/** For native images, after a call has failed with -EINTR and before the next call: whether the caller is to restart
 * it, if it is a call that may be restarted (abi/restart.h). True if SA_RESTART says so or no handler ran. */
__attribute__((visibility("default"))) bool kcall_restarts(void);

/** The first instruction of a kernel call: only there may the program's stack turn out to end. */
extern const char kcall_probe[];

/** Called at the end of each kernel call: looks for what has come from outside the guest. NULL: nothing can come. */
extern void (*kcall_look)(void);

#endif
