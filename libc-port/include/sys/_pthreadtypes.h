/* SPDX-License-Identifier: MIT */
/* The POSIX thread types. Objects hold their state themselves, all zero when statically initialised. */
#ifndef _SYS__PTHREADTYPES_H_
#define _SYS__PTHREADTYPES_H_

#include <sys/sched.h>
#include <machine/_types.h>

typedef unsigned long pthread_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;
typedef int pthread_spinlock_t;

typedef struct {
	unsigned long __stack_address;
	unsigned long __stack_size;
	unsigned long __guard_size;
	int __detach_state;
	int __inherit;
	int __scope;
	int __policy;
	struct sched_param __param;
	unsigned __given;             /* pthread_attr.c */
	unsigned long __sigmask;      /* pthread_attr_setsigmask_np */
	unsigned long __affinity[16]; /* pthread_attr_setaffinity_np: a cpu_set_t, which is not always declared */
} pthread_attr_t;

typedef struct {
	unsigned __word; /* the futex word: the holder's number, and FUTEX_WAITERS and FUTEX_OWNER_DIED (futex(2)) */
	int __kind;      /* type, and the bits that pthread_mutex.c says */
	unsigned __depth;
	unsigned __waiters;
	int __state; /* of a robust mutex */
	int __ceiling;
	void *__robust; /* an entry of the holder's robust list */
} pthread_mutex_t;

typedef struct {
	int __type;
	int __shared;
	int __protocol;
	int __robust;
	int __ceiling;
} pthread_mutexattr_t;

typedef struct {
	unsigned __sequence; /* the futex word */
	unsigned __waiters;
	int __clock;
	unsigned __left; /* the futex word of pthread_cond_destroy */
	int __reserved[8];
} pthread_cond_t;

typedef struct {
	int __clock;
	int __shared;
} pthread_condattr_t;

typedef struct {
	unsigned __holder; /* number of the thread that writes, or of one that reads, if that is known */
	unsigned __readers;
	int __writes;             /* there is a writer, and it is the holder */
	int __kind;               /* PTHREAD_RWLOCK_PREFER_... */
	unsigned __readers_wait;  /* how many */
	unsigned __writers_wait;  /* how many */
	unsigned __readers_woken; /* futex words */
	unsigned __writers_woken;
	int __reserved[6];
} pthread_rwlock_t;

typedef struct {
	int __shared;
	int __kind;
} pthread_rwlockattr_t;

typedef struct {
	unsigned __count;
	unsigned __arrived;
	unsigned __generation; /* the futex word */
	unsigned __inside;     /* threads that are not out of pthread_barrier_wait yet */
	unsigned __left;       /* the futex word of pthread_barrier_destroy */
	int __reserved[3];
} pthread_barrier_t;

typedef struct {
	int __shared;
} pthread_barrierattr_t;

#define _PTHREAD_MUTEX_INITIALIZER_KIND(kind) \
	{ \
		0, kind, 0, 0, 0, 0, 0 \
	}
#define _PTHREAD_MUTEX_INITIALIZER _PTHREAD_MUTEX_INITIALIZER_KIND(0)
#define _PTHREAD_COND_INITIALIZER \
	{ \
		0, 0, 0, 0, \
		{ \
			0, 0, 0, 0, 0, 0, 0, 0 \
		} \
	}
#define _PTHREAD_RWLOCK_INITIALIZER_KIND(kind) \
	{ \
		0, 0, 0, kind, 0, 0, 0, 0, \
		{ \
			0, 0, 0, 0, 0, 0 \
		} \
	}
#define _PTHREAD_RWLOCK_INITIALIZER _PTHREAD_RWLOCK_INITIALIZER_KIND(0)
#define _PTHREAD_ONCE_INIT 0

#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_STALLED 0
#define PTHREAD_MUTEX_ROBUST 1

#endif
