/* SPDX-License-Identifier: MIT */
/* <syscall.h>: the older name of <sys/syscall.h>. */
#include <sys/syscall.h>
