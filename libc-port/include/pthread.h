/* SPDX-License-Identifier: MIT */
/* Over newlib's <pthread.h>: what POSIX 2008 and glibc declare beyond it (pthreads(7)). */
#ifndef EREMITE_PTHREAD_H
#define EREMITE_PTHREAD_H

/* newlib's wants to know whether there are threads from <unistd.h>, whose names a program may use for itself. */
#define __EREMITE_NO_UNISTD
#define pthread_yield __newlib_pthread_yield /* which has no result there */
#include <sys/features.h>
#include_next <pthread.h>
#undef __EREMITE_NO_UNISTD
#undef pthread_yield
#include <sys/_sigset.h>

#define PTHREAD_STACK_MIN 16384 /* <limits.h> has it, too */

#define PTHREAD_MUTEX_TIMED_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ERRORCHECK
#define PTHREAD_MUTEX_ADAPTIVE_NP 3
#define PTHREAD_MUTEX_STALLED_NP PTHREAD_MUTEX_STALLED
#define PTHREAD_MUTEX_ROBUST_NP PTHREAD_MUTEX_ROBUST

#if __GNU_VISIBLE
#define PTHREAD_MUTEX_FAST_NP PTHREAD_MUTEX_TIMED_NP

#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP _PTHREAD_MUTEX_INITIALIZER_KIND(PTHREAD_MUTEX_RECURSIVE)
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP _PTHREAD_MUTEX_INITIALIZER_KIND(PTHREAD_MUTEX_ERRORCHECK)
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP _PTHREAD_MUTEX_INITIALIZER_KIND(PTHREAD_MUTEX_ADAPTIVE_NP)
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP \
	_PTHREAD_RWLOCK_INITIALIZER_KIND(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)

#define PTHREAD_ATTR_NO_SIGMASK_NP (-1)
#endif

/* Read-write locks, what they prefer (pthread_rwlockattr_setkind_np(3)); without meaning for a program in POSIX mode.
 */
enum {
	PTHREAD_RWLOCK_PREFER_READER_NP,
	PTHREAD_RWLOCK_PREFER_WRITER_NP,
	PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP,
	PTHREAD_RWLOCK_DEFAULT_NP = PTHREAD_RWLOCK_PREFER_READER_NP
};

__BEGIN_DECLS

int pthread_mutex_consistent(pthread_mutex_t *__mutex);
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *__attr, int *__robustness);
int pthread_mutexattr_setrobust(pthread_mutexattr_t *__attr, int __robustness);

#if __GNU_VISIBLE
int pthread_mutex_clocklock(pthread_mutex_t *__mutex, clockid_t __clock, const struct timespec *__deadline);
int pthread_mutex_consistent_np(pthread_mutex_t *__mutex);
int pthread_mutexattr_getrobust_np(const pthread_mutexattr_t *__attr, int *__robustness);
int pthread_mutexattr_setrobust_np(pthread_mutexattr_t *__attr, int __robustness);
int pthread_cond_clockwait(pthread_cond_t *__cond, pthread_mutex_t *__mutex, clockid_t __clock,
                           const struct timespec *__deadline);
int pthread_rwlock_clockrdlock(pthread_rwlock_t *__lock, clockid_t __clock, const struct timespec *__deadline);
int pthread_rwlock_clockwrlock(pthread_rwlock_t *__lock, clockid_t __clock, const struct timespec *__deadline);
#endif
#if __MISC_VISIBLE
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *__attr, int *__kind);
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *__attr, int __kind);
#endif

#if __GNU_VISIBLE
int pthread_yield(void);
int pthread_tryjoin_np(pthread_t __tid, void **__result);
int pthread_timedjoin_np(pthread_t __tid, void **__result, const struct timespec *__deadline);
int pthread_clockjoin_np(pthread_t __tid, void **__result, clockid_t __clock, const struct timespec *__deadline);
int pthread_getattr_np(pthread_t __tid, pthread_attr_t *__attr);
int pthread_getattr_default_np(pthread_attr_t *__attr);
int pthread_setattr_default_np(const pthread_attr_t *__attr);
int pthread_getaffinity_np(pthread_t __tid, size_t __size, cpu_set_t *__set);
int pthread_setaffinity_np(pthread_t __tid, size_t __size, const cpu_set_t *__set);
int pthread_attr_getaffinity_np(const pthread_attr_t *__attr, size_t __size, cpu_set_t *__set);
int pthread_attr_setaffinity_np(pthread_attr_t *__attr, size_t __size, const cpu_set_t *__set);
int pthread_attr_getsigmask_np(const pthread_attr_t *__attr, __sigset_t *__mask);
int pthread_attr_setsigmask_np(pthread_attr_t *__attr, const __sigset_t *__mask);
#endif

__END_DECLS

#endif
