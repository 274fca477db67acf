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
	int __reserved;
} pthread_attr_t;

typedef struct {
	int __state; /* 0 free, 1 held, 2 held with waiters: the futex word */
	int __owner; /* thread id of the holder */
	unsigned __depth;
	int __type;
	int __reserved[6];
} pthread_mutex_t;

typedef struct {
	int __type;
	int __shared;
	int __protocol;
	int __robust;
} pthread_mutexattr_t;

typedef struct {
	unsigned __sequence; /* the futex word */
	unsigned __waiters;
	int __clock;
	int __reserved[9];
} pthread_cond_t;

typedef struct {
	int __clock;
	int __shared;
} pthread_condattr_t;

typedef struct {
	unsigned __state; /* the futex word */
	unsigned __readers;
	unsigned __writers_waiting;
	int __owner;
	int __reserved[10];
} pthread_rwlock_t;

typedef struct {
	int __shared;
	int __kind;
} pthread_rwlockattr_t;

typedef struct {
	unsigned __count;
	unsigned __arrived;
	unsigned __generation; /* the futex word */
	int __reserved[5];
} pthread_barrier_t;

typedef struct {
	int __shared;
} pthread_barrierattr_t;

#define _PTHREAD_MUTEX_INITIALIZER \
	{ \
		0, 0, 0, 0, \
		{ \
			0, 0, 0, 0, 0, 0 \
		} \
	}
#define _PTHREAD_COND_INITIALIZER \
	{ \
		0, 0, 0, \
		{ \
			0, 0, 0, 0, 0, 0, 0, 0, 0 \
		} \
	}
#define _PTHREAD_RWLOCK_INITIALIZER \
	{ \
		0, 0, 0, 0, \
		{ \
			0, 0, 0, 0, 0, 0, 0, 0, 0, 0 \
		} \
	}
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

#endif
