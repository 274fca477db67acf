/* SPDX-License-Identifier: MIT */
/* <sys/vfs.h>: the older name of <sys/statfs.h>. */
#include <sys/statfs.h>
