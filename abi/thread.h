/* SPDX-License-Identifier: MIT */
/* Threads: how many there can be; and for native images the interface between libc and the kernel. (Linux binaries use
 * clone(2) instead.) */
#ifndef ABI_THREAD_H
#define ABI_THREAD_H

#include <stdint.h>

/** Threads that can exist at once. */
#define THREADS_MAX 32768

/* The object for which a libc thread waits on a futex: X(name, "text in a deadlock report", cause in sched_account.h).
 */
#define THREAD_WAIT_LIST(X) \
	X(none, "futex", futex) \
	X(mutex, "mutex", lock) \
	X(condition, "condition variable", condition) \
	X(rwlock_read, "read-write lock, to read", lock) \
	X(rwlock_write, "read-write lock, to write", lock) \
	X(barrier, "barrier", condition) \
	X(semaphore, "semaphore", condition) \
	X(spin, "spin lock", lock) \
	X(once, "end of an initialisation (pthread_once)", condition) \
	X(join, "end of a thread", join) \
	X(libc_lock, "lock of the C library", lock)

enum thread_wait {
#define THREAD_WAIT_NUMBER(name, text, cause) THREAD_WAIT_##name,
	THREAD_WAIT_LIST(THREAD_WAIT_NUMBER)
#undef THREAD_WAIT_NUMBER
		THREAD_WAITS
};

/** libc's note about one of its threads, in libc's memory. The kernel reads it for reports and does not trust it. */
struct thread_note {
	char name[16];          /**< pthread_setname_np */
	uint32_t wait;          /**< enum thread_wait: the purpose of the next wait on a futex */
	uint32_t joined;        /**< THREAD_WAIT_join: the number of the thread it joins */
	const void *object;     /**< the lock or condition itself */
	const uint32_t *holder; /**< address of the number of the thread that holds it; NULL: it has no holder */
};

/** How a thread starts (thread_create). */
struct thread_start {
	void (*entry)(void *argument); /**< must not return; the thread ends by calling exit */
	void *argument;
	uint64_t stack_top; /**< 16-byte aligned */
	uint64_t fs_base;
	uint32_t *tid; /**< receives the thread's number before it runs; at its end it is cleared and its futex woken */
	const struct thread_note *note; /**< may be NULL */
};

_Static_assert(sizeof(struct thread_note) == 40, "thread_note");
_Static_assert(sizeof(struct thread_start) == 48, "thread_start");

#endif
