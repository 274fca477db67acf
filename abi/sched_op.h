/* SPDX-License-Identifier: MIT */
/* Decision points: the operations before which another thread can replace the running one.
 *
 * A decision point is before each kernel call, before each function of pthread.h that other threads can notice, and
 * with -fpreempt=memory before each access to shared memory. Each thread counts the points it passes. */
#ifndef ABI_SCHED_OP_H
#define ABI_SCHED_OP_H

/* The operation behind a decision point: a number below SCHED_OP_FIRST is a system call, others are from this list. The
 * list is append-only: the numbers are part of the determinism contract. X(name). */
#define SCHED_OP_FIRST 512
#define SCHED_OP_LIST(X) \
	X(load) \
	X(store) \
	X(atomic) \
	X(pthread_create) \
	X(pthread_join) \
	X(pthread_exit) \
	X(pthread_cancel) \
	X(pthread_mutex_lock) \
	X(pthread_mutex_trylock) \
	X(pthread_mutex_unlock) \
	X(pthread_cond_wait) \
	X(pthread_cond_signal) \
	X(pthread_cond_broadcast) \
	X(pthread_rwlock_rdlock) \
	X(pthread_rwlock_wrlock) \
	X(pthread_rwlock_unlock) \
	X(pthread_barrier_wait) \
	X(pthread_spin_lock) \
	X(pthread_spin_unlock) \
	X(pthread_once) \
	X(sem_wait) \
	X(sem_post) \
	X(libc_lock)

enum sched_op {
	SCHED_OP_NONE = SCHED_OP_FIRST - 1,
#define SCHED_OP_NUMBER(name) SCHED_OP_##name,
	SCHED_OP_LIST(SCHED_OP_NUMBER)
#undef SCHED_OP_NUMBER
		SCHED_OP_END
};

#endif
