/* SPDX-License-Identifier: MIT */
/* Before newlib's <sys/select.h>: an fd_set of 1024 bits, as the kernel's select takes it. */
#ifndef EREMITE_SYS_SELECT_H
#define EREMITE_SYS_SELECT_H

#ifndef FD_SETSIZE
#define FD_SETSIZE 1024
#endif

#include_next <sys/select.h>

#endif
