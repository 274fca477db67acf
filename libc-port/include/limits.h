/* SPDX-License-Identifier: MIT */
/* Around the compiler's and newlib's <limits.h>: the POSIX minima and Linux's limits.
 *
 * Linux's limits come first, because newlib supplies its own for what is undefined then. */
#include <sys/features.h>
#if __POSIX_VISIBLE
#include <sys/syslimits.h>
#endif

#include_next <limits.h>

#ifndef EREMITE_LIMITS_H
#define EREMITE_LIMITS_H

#ifndef MB_LEN_MAX
#define MB_LEN_MAX 8
#endif
#if __POSIX_VISIBLE
#ifndef SSIZE_MAX
#define SSIZE_MAX __LONG_MAX__
#endif
#ifndef LONG_BIT
#define LONG_BIT 64
#endif
#ifndef WORD_BIT
#define WORD_BIT 32
#endif

#ifndef SEM_VALUE_MAX
#define SEM_VALUE_MAX 0x7fffffff
#endif

#define _POSIX_AIO_LISTIO_MAX 2
#define _POSIX_AIO_MAX 1
#define _POSIX_ARG_MAX 4096
#define _POSIX_CHILD_MAX 25
#define _POSIX_CLOCKRES_MIN 20000000
#define _POSIX_DELAYTIMER_MAX 32
#define _POSIX_HOST_NAME_MAX 255
#define _POSIX_LINK_MAX 8
#define _POSIX_LOGIN_NAME_MAX 9
#define _POSIX_MAX_CANON 255
#define _POSIX_MAX_INPUT 255
#define _POSIX_NAME_MAX 14
#define _POSIX_NGROUPS_MAX 8
#define _POSIX_OPEN_MAX 20
#define _POSIX_PATH_MAX 256
#define _POSIX_PIPE_BUF 512
#define _POSIX_RE_DUP_MAX 255
#define _POSIX_RTSIG_MAX 8
#define _POSIX_SEM_NSEMS_MAX 256
#define _POSIX_SEM_VALUE_MAX 32767
#define _POSIX_SIGQUEUE_MAX 32
#define _POSIX_SSIZE_MAX 32767
#define _POSIX_STREAM_MAX 8
#define _POSIX_SYMLINK_MAX 255
#define _POSIX_SYMLOOP_MAX 8
#define _POSIX_THREAD_DESTRUCTOR_ITERATIONS 4
#define _POSIX_THREAD_KEYS_MAX 128
#define _POSIX_THREAD_THREADS_MAX 64
#define _POSIX_TIMER_MAX 32
#define _POSIX_TTY_NAME_MAX 9
#define _POSIX_TZNAME_MAX 6
#define _POSIX2_BC_BASE_MAX 99
#define _POSIX2_LINE_MAX 2048
#undef _POSIX2_RE_DUP_MAX
#define _POSIX2_RE_DUP_MAX 255
#define _XOPEN_IOV_MAX 16
#define _XOPEN_NAME_MAX 255
#define _XOPEN_PATH_MAX 1024
#endif

#endif
