/* SPDX-License-Identifier: MIT */
/* Before newlib's <sys/types.h>: the types that it does not let <machine/_types.h> choose. */
#ifndef EREMITE_SYS_TYPES_H
#define EREMITE_SYS_TYPES_H

#ifndef _NLINK_T_DECLARED
typedef unsigned long nlink_t;
#define _NLINK_T_DECLARED
#endif
#ifndef _USECONDS_T_DECLARED
typedef unsigned int useconds_t;
#define _USECONDS_T_DECLARED
#endif
#if !defined(__timer_t_defined) && !defined(_TIMER_T_DECLARED)
typedef void *timer_t;
#define __timer_t_defined
#define _TIMER_T_DECLARED
#endif

#endif

/* Outside the guard: newlib's file is entered a second time after <inttypes.h> took a part of it. */
#include_next <sys/types.h>

#ifndef EREMITE_SYS_TYPES_LINUX
#define EREMITE_SYS_TYPES_LINUX
#include <sys/features.h>
#if __MISC_VISIBLE
#include <sys/sysmacros.h>
#endif
#endif
