/* SPDX-License-Identifier: MIT */
/* Kernel calls that only native images have. */
#include "kernel/sys/kcall_define.h"

SYSCALL_LIST_NATIVE(KCALL_DEFINE)
