/* SPDX-License-Identifier: MIT */
/* The system calls as plain functions, without accounting, for calls inside the kernel.
 *
 * Each returns 0 or more, or a negative errno. Pointers are those of the program, and are accessed only through
 * uaccess.h. */
#ifndef KERNEL_SYS_SYS_H
#define KERNEL_SYS_SYS_H

#include "abi/syscalls.h"

#define SYS_DECLARE(number, name, cost, count, ...) long sys_##name(SYSCALL_PARAMS_##count(__VA_ARGS__));
SYSCALL_LIST(SYS_DECLARE)
#undef SYS_DECLARE

#endif
