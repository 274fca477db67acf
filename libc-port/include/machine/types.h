/* SPDX-License-Identifier: MIT */
/* User types that newlib's <sys/types.h> lacks and Linux's has. */
#ifndef _SYS_TYPES_H
#error "must be included via <sys/types.h>"
#endif
#ifndef EREMITE_MACHINE_TYPES_H
#define EREMITE_MACHINE_TYPES_H

typedef unsigned long u_quad_t;
typedef long quad_t;
typedef long off64_t;
typedef long loff_t;
typedef unsigned long ino64_t;
typedef int __rlimit_resource_t;

#endif
