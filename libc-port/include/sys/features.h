/* SPDX-License-Identifier: MIT */
/* Before newlib's <sys/features.h>: what this port decides for newlib itself and for every program alike.
 *
 * Every newlib header includes this one before it looks at any of these macros, so no file is force-included. */
#ifndef EREMITE_SYS_FEATURES_H
#define EREMITE_SYS_FEATURES_H

/* read() and write() take size_t and return ssize_t; newlib's default, int, truncates. */
#define _READ_WRITE_RETURN_TYPE __PTRDIFF_TYPE__
#define _READ_WRITE_BUFSIZE_TYPE __SIZE_TYPE__

/* One struct _reent per thread, found through one thread-local pointer (src/reent.c). */
#define __DYNAMIC_REENT__ 1
#ifndef __ASSEMBLER__
struct _reent;
#ifdef __cplusplus
extern "C" {
#endif
extern __thread struct _reent *__eremite_reent __attribute__((tls_model("local-exec")));
#ifdef __cplusplus
}
#endif
#define __getreent() (__eremite_reent)
#endif

/* struct tm has the members that Linux programs know. */
#define __TM_GMTOFF tm_gmtoff
#define __TM_ZONE tm_zone

/* What Linux programs expect of <stdio.h>. */
#define __BUFSIZ__ 8192
#define __FILENAME_MAX__ 4096

/* SIGSTKSZ and MINSIGSTKSZ as Linux has them. */
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192

#include_next <sys/features.h>

#undef _POSIX_VERSION
#define _POSIX_VERSION 200809L
#define _POSIX2_VERSION 200809L
#define _POSIX2_C_VERSION 200809L
#define _XOPEN_VERSION 700
#define _XOPEN_UNIX 1
#define _XOPEN_ENH_I18N 1
#define _XOPEN_SHM 1
#define _POSIX_ADVISORY_INFO 200809L
#define _POSIX_ASYNCHRONOUS_IO 200809L
#define _POSIX_BARRIERS 200809L
#define _POSIX_CHOWN_RESTRICTED 1
#define _POSIX_CLOCK_SELECTION 200809L
#define _POSIX_CPUTIME 200809L
#define _POSIX_FSYNC 200809L
#define _POSIX_JOB_CONTROL 1
#define _POSIX_MAPPED_FILES 200809L
#define _POSIX_MEMLOCK (-1)
#define _POSIX_MEMLOCK_RANGE (-1)
#define _POSIX_MEMORY_PROTECTION 200809L
#define _POSIX_MESSAGE_PASSING (-1)
#define _POSIX_MONOTONIC_CLOCK 200809L
#define _POSIX_NO_TRUNC 1
#define _POSIX_PRIORITIZED_IO (-1)
#define _POSIX_PRIORITY_SCHEDULING 200809L
#define _POSIX_READER_WRITER_LOCKS 200809L
#define _POSIX_REALTIME_SIGNALS 200809L
#define _POSIX_REGEXP 1
#define _POSIX_SAVED_IDS 1
#define _POSIX_SEMAPHORES 200809L
#define _POSIX_SHARED_MEMORY_OBJECTS 200809L
#define _POSIX_SHELL 1
#define _POSIX_SPIN_LOCKS 200809L
#define _POSIX_THREADS 200809L
#define _POSIX_THREAD_ATTR_STACKADDR 200809L
#define _POSIX_THREAD_ATTR_STACKSIZE 200809L
#define _POSIX_THREAD_CPUTIME 200809L
#define _POSIX_THREAD_SAFE_FUNCTIONS 200809L
#define _POSIX_THREAD_PRIORITY_SCHEDULING 200809L
#define _POSIX_THREAD_PRIO_INHERIT 200809L
#define _POSIX_THREAD_PRIO_PROTECT 200809L
#define _POSIX_THREAD_PROCESS_SHARED 200809L
#define _POSIX_THREAD_ROBUST_PRIO_INHERIT 200809L
#define _POSIX_THREAD_ROBUST_PRIO_PROTECT (-1)
#define _POSIX_TIMEOUTS 200809L
#define _POSIX_TIMERS 200809L
#define _POSIX_VDISABLE '\0'
#define _POSIX_V7_LP64_OFF64 1
#define _POSIX_V6_LP64_OFF64 1
#define _UNIX98_THREAD_MUTEX_ATTRIBUTES 1

#endif
