/* SPDX-License-Identifier: MIT */
/* newlib's BSD numbers, which nothing here may see: <sys/fcntl.h> has Linux's. */
#ifndef _SYS__DEFAULT_FCNTL_H_
#define _SYS__DEFAULT_FCNTL_H_

#include <sys/fcntl.h>

#endif
