/* SPDX-License-Identifier: MIT */
/* The widths of the Linux x86-64 ABI, through newlib's own hook <machine/_types.h>. */
#ifndef _MACHINE__TYPES_H
#define _MACHINE__TYPES_H

#include <machine/_default_types.h>

#define __machine_dev_t_defined
typedef unsigned long __dev_t;
#define __machine_ino_t_defined
typedef unsigned long __ino_t;
#define __machine_mode_t_defined
typedef unsigned int __mode_t;
#define __machine_uid_t_defined
typedef unsigned int __uid_t;
#define __machine_gid_t_defined
typedef unsigned int __gid_t;
#define __machine_id_t_defined
typedef unsigned int __id_t;
#define __machine_key_t_defined
typedef int __key_t;
#define __machine_off_t_defined
typedef long _off_t;
#define __machine_off64_t_defined
typedef long _off64_t;
#define __machine_fpos_t_defined
typedef long _fpos_t;
#define __machine_blkcnt_t_defined
typedef long __blkcnt_t;
#define __machine_blksize_t_defined
typedef long __blksize_t;
#define __machine_fsblkcnt_t_defined
typedef unsigned long __fsblkcnt_t;
#define __machine_fsfilcnt_t_defined
typedef unsigned long __fsfilcnt_t;
#define __machine_clock_t_defined
#define _CLOCK_T_ long
#define __machine_clockid_t_defined
#define _CLOCKID_T_ int
#define __machine_sa_family_t_defined
typedef unsigned short __sa_family_t;
#define __machine_socklen_t_defined
typedef unsigned int __socklen_t;

#endif
