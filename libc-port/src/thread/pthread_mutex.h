/* SPDX-License-Identifier: MIT */
/* Mutexes, for the rest of the library: as a condition variable uses them, without decision points of their own. */
#ifndef LIBC_PORT_PTHREAD_MUTEX_H
#define LIBC_PORT_PTHREAD_MUTEX_H

#include "libc-port/src/thread/thread.h"

/* The futex word of a mutex and of a spin lock: who holds it, and as the kernel knows them (futex(2)) these bits. */
#define LOCK_HOLDER 0x3fffffffU
#define LOCK_OWNER_DIED 0x40000000U
#define LOCK_WAITERS 0x80000000U

/* pthread_mutex_t's __kind: the type, and these. A mutex that was destroyed has MUTEX_DESTROYED instead. */
#define MUTEX_TYPE 3
#define MUTEX_ROBUST 4
#define MUTEX_INHERIT 8
#define MUTEX_PROTECT 16
#define MUTEX_DESTROYED (-1)

/** Locks as pthread_mutex_lock does; deadline as in thread_wait. */
int mutex_acquire(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline)
	THREAD_PRIVATE(mutex_acquire);

/** Unlocks as pthread_mutex_unlock does. */
int mutex_release(pthread_mutex_t *mutex) THREAD_PRIVATE(mutex_release);

/**
 * The same, but for the word: 0, and in *wake how many are to be woken when it is 0 (MUTEX_KEPT: none, as the thread
 * keeps the mutex, which it has locked more than once), or an error.
 */
int mutex_let_go(pthread_mutex_t *mutex, int *wake) THREAD_PRIVATE(mutex_let_go);
#define MUTEX_KEPT (-1)

#endif
