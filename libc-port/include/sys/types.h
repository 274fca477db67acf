/* SPDX-License-Identifier: MIT */
/* Around newlib's <sys/types.h>: the types that it does not let <machine/_types.h> choose, and a better order. */
#include <sys/cdefs.h>

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

/*
 * newlib includes <sys/select.h> before its own types, and a program may have put a header of its own there that needs
 * them (gnulib does): what is for BSD comes behind the types, from here.
 * Outside the guard: newlib's file is entered a second time after <inttypes.h> took a part of it.
 */
#pragma push_macro("__BSD_VISIBLE")
#undef __BSD_VISIBLE
#define __BSD_VISIBLE 0
#include_next <sys/types.h>
#pragma pop_macro("__BSD_VISIBLE")

#if !defined(EREMITE_SYS_TYPES_LINUX) && defined(_SYS_TYPES_H)
#define EREMITE_SYS_TYPES_LINUX
#if __BSD_VISIBLE
#ifndef _IN_ADDR_T_DECLARED
typedef __uint32_t in_addr_t;
#define _IN_ADDR_T_DECLARED
#endif
#ifndef _IN_PORT_T_DECLARED
typedef __uint16_t in_port_t;
#define _IN_PORT_T_DECLARED
#endif
typedef __uintptr_t u_register_t;
#include <machine/endian.h>
#include <sys/select.h>
#endif
#if __MISC_VISIBLE
#include <sys/sysmacros.h>
#endif
#endif
