/* SPDX-License-Identifier: MIT */
/* Kernel calls that only Linux programs have. */
#include "kernel/sys/kcall_define.h"

SYSCALL_LIST_LINUX(KCALL_DEFINE)
