/* SPDX-License-Identifier: MIT */
/* What libc knows of a thread: the descriptor that pthread_t points to, and how threads wait for each other.
 *
 * Code of libc-port is compiled without ticks, so that another thread can run only where a kernel call, a decision
 * point (kernel_point) or a function of newlib is called: between those, what a thread reads and writes is atomic. */
#ifndef LIBC_PORT_THREAD_H
#define LIBC_PORT_THREAD_H

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <reent.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "abi/thread.h"
#include "kernel/sys/point.h"
#include "libc-port/src/ticks.h"
#include "libc-port/src/runtime/tls.h"

/* What is defined in this library is weak (libc-port.mk): these names must not be a program's. */
#define THREAD_PRIVATE(name) __asm__("__eremite_" #name)

/** Keys of which each thread has the values at hand; values of the others are allocated. */
#define THREAD_KEYS_INLINE 16

/** The signal that makes a thread look at its cancellation. No program sees it: glibc keeps it from them, too. */
#define THREAD_SIGNAL_CANCEL 33
/** The signals that libc keeps for itself, as a mask. */
#define THREAD_SIGNALS (1UL << (32 - 1) | 1UL << (THREAD_SIGNAL_CANCEL - 1))

enum thread_detach {
	THREAD_JOINABLE,
	THREAD_JOINED,   /**< somebody waits for it in pthread_join */
	THREAD_DETACHED, /**< its stack is used again after its end */
};

/** A value of a key; it counts only if it is of the key's present life (pthread_key.c). */
struct thread_value {
	uint64_t life;
	void *value;
};

/** struct robust_list_head of Linux (set_robust_list(2)), and the list's entries. */
struct thread_robust {
	struct thread_robust *next;
};

struct thread_robust_head {
	struct thread_robust list; /**< the end of the list points to it */
	long futex_offset;         /**< from an entry to the lock's futex word */
	struct thread_robust *pending;
};

/** A function to call at the thread's end, for C++ (__cxa_thread_atexit_impl). */
struct thread_destructor {
	struct thread_destructor *next;
	void (*function)(void *);
	void *argument;
};

struct pthread {
	struct thread_note note; /**< first: what the kernel reads for reports */

	uint32_t tid;      /**< set by the kernel before it runs, cleared after its end: a futex */
	uint32_t tid_kept; /**< the same, but kept */
	enum thread_detach detach;
	bool uncounted; /**< one of libc's own */
	bool ended;     /**< it does nothing more but end: who makes it detached now gives back its stack */
	bool exiting;   /**< its cleanup handlers and destructors run, or have run: it can no longer be cancelled */
	void *(*entry)(void *);
	void *argument;
	void *result;
	bool start_mask_given; /**< by pthread_attr_setsigmask_np */
	sigset_t start_mask;
	bool policy_given; /**< PTHREAD_EXPLICIT_SCHED */
	int policy;        /**< as libc knows it: the kernel has the one that counts */
	struct sched_param param;
	struct pthread *joining; /**< the thread for which it waits in pthread_join */

	uint8_t cancel_state;       /**< PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DISABLE */
	uint8_t cancel_type;        /**< PTHREAD_CANCEL_DEFERRED, PTHREAD_CANCEL_ASYNCHRONOUS */
	volatile bool cancel_asked; /**< pthread_cancel was called */
	volatile bool cancel_waits; /**< it is in a kernel call that cancelling it must interrupt */
	struct _pthread_cleanup_context *cleanup;

	struct thread_value *more_values; /**< PTHREAD_KEYS_MAX - THREAD_KEYS_INLINE of them, or NULL */
	unsigned values_used;             /**< keys from this number on have no value here */
	struct thread_destructor *destructors;

	bool robust_known; /**< the kernel knows the list */
	struct thread_robust_head robust;

	void *stack;               /**< lowest address, behind the guard */
	size_t stack_bytes;        /**< as asked for */
	size_t room_bytes;         /**< as mapped, from `stack` on: more, as descriptor and kernel calls take some */
	size_t guard_bytes;        /**< below `stack` */
	bool stack_is_given;       /**< by pthread_attr_setstack: never used again */
	struct pthread *next_free; /**< of the stacks of its size that no thread has */
	struct pthread *next_size; /**< of the first of them: the first of another size */

	struct _reent *reent;
	struct thread_value values[THREAD_KEYS_INLINE]; /**< last, because it is not cleared for a new thread */
};

/** The calling thread. */
static inline struct pthread *thread_self(void)
{
	struct pthread *self;
	__asm__("mov %%fs:%c1, %0" : "=r"(self) : "i"(offsetof(struct tls_header, thread)));
	return self;
}

/** Ticks of what is done about a lock that is free: that code has none of its own. */
#define THREAD_POINT_TICKS 4

/** Passes a decision point (kernel_point) at the start of a function that may do without a kernel call. */
static inline __attribute__((always_inline)) void thread_point(unsigned op, const void *object)
{
	ticks_charge(THREAD_POINT_TICKS);
	kernel_point(op, object);
}

/** The main thread's descriptor. */
extern struct pthread thread_main THREAD_PRIVATE(thread_main);

/** Tells the kernel of the main thread's descriptor; to be called before it matters. */
void thread_tell_of_main(void) THREAD_PRIVATE(thread_tell_of_main);

/** Threads that have not ended; the last one's end is the run's. */
extern unsigned thread_count THREAD_PRIVATE(thread_count);

/**
 * Waits on a futex while *word == expected, until somebody wakes it. `deadline` is absolute, on `clock`
 * (CLOCK_REALTIME or CLOCK_MONOTONIC); NULL: none. The rest is for reports: what is waited for, the address of the lock
 * or condition, and where the number of the thread that holds it stands (NULL: nobody can). Result: 0 (woken), EAGAIN
 * (*word is not `expected`), ETIMEDOUT, EINTR (a signal was handled), EINVAL (the deadline is not a time), ECANCELED
 * (`cancellable`, and the thread is to be cancelled: the caller puts its things in order and calls thread_testcancel).
 * errno is not touched. Except after EINVAL, ETIMEDOUT and ECANCELED, callers look at their condition again.
 */
int thread_wait(const uint32_t *word, uint32_t expected, clockid_t clock, const struct timespec *deadline,
                enum thread_wait why, const void *object, const uint32_t *holder, bool cancellable)
	THREAD_PRIVATE(thread_wait);

/**
 * The same for a condition variable, whatever *word is: *lock becomes 0 and one of those who wait for it is woken in
 * the moment in which this thread begins to wait. The caller has seen that the deadline is a time and that the
 * thread is not cancelled yet. When the deadline has passed already, others go first.
 */
int thread_wait_condition(const uint32_t *word, uint32_t *lock, clockid_t clock, const struct timespec *deadline,
                          const void *object) THREAD_PRIVATE(thread_wait_condition);

/** Wakes at most `count` threads that wait on a futex; returns how many. */
int thread_wake(const uint32_t *word, int count) THREAD_PRIVATE(thread_wake);

/** Tells the kernel of the calling thread's robust list, before its first use. */
void thread_robust_begin(void) THREAD_PRIVATE(thread_robust_begin);

/** Ends the calling thread: cleanup handlers, destructors, then the kernel's exit. */
_Noreturn void thread_exit(void *result) THREAD_PRIVATE(thread_exit);

/** Calls the destructors of the calling thread's values, and forgets them. */
void thread_values_end(struct pthread *self) THREAD_PRIVATE(thread_values_end);

/**
 * A stack with the descriptor of a new thread at its top, its thread-local storage and _reent fresh; the fields about
 * stack and _reent are set, the others 0. 0, EAGAIN: no memory, EINVAL: the program's own stack is too small for what
 * lies at its top (as with glibc), or no sizes are so large.
 */
int thread_stack_take(const pthread_attr_t *attributes, struct pthread **thread) THREAD_PRIVATE(thread_stack_take);

/** Unmaps the stacks that no thread has, because memory is short. Whether there were any. */
bool thread_stack_release(void) THREAD_PRIVATE(thread_stack_release);

/**
 * Gives back the stack of a thread that has ended or is about to end. No new thread gets the stack before the kernel
 * has cleared its tid. If free stacks take too much memory they are unmapped, by kernel calls, in which other threads
 * may run.
 */
void thread_stack_give(struct pthread *thread) THREAD_PRIVATE(thread_stack_give);

/** The thread pointer of a thread that thread_stack_take made. */
struct tls_header *thread_pointer(struct pthread *thread) THREAD_PRIVATE(thread_pointer);

/** What pthread_attr_init sets, and a thread has that is made without attributes. */
extern pthread_attr_t thread_default_attributes THREAD_PRIVATE(thread_default_attributes);

/**
 * As pthread_create; an `uncounted` thread is one of libc's own, which does not keep the run from ending. Returns the
 * error number.
 */
int thread_create(pthread_t *made, const pthread_attr_t *attributes, void *(*entry)(void *), void *argument,
                  bool uncounted) THREAD_PRIVATE(thread_create);

/** Whether the calling thread is to be cancelled at its next cancellation point. */
static inline bool thread_is_cancelled(void)
{
	const struct pthread *self = thread_self();
	return __builtin_expect(self->cancel_asked, 0) && self->cancel_state == PTHREAD_CANCEL_ENABLE && !self->exiting;
}

/** What a cancellation point does: ends the thread if it is to be cancelled. */
static inline void thread_testcancel(void)
{
	if (thread_is_cancelled())
		thread_exit(PTHREAD_CANCELED);
}

/**
 * A kernel call that is a cancellation point (pthreads(7)): yields its result, or does not return. A thread that is
 * cancelled while it waits in there is interrupted; what the call has done by then is not lost, because then it does
 * not fail with EINTR.
 */
#define THREAD_CANCELLABLE(call) \
	({ \
		thread_testcancel(); \
		thread_self()->cancel_waits = true; \
		long cancellable_result = (call); \
		thread_self()->cancel_waits = false; \
		if (__builtin_expect(cancellable_result == -EINTR, 0)) \
			thread_testcancel(); \
		cancellable_result; \
	})

/**
 * The same for a call that is made again after a handler with SA_RESTART (abi/restart.h), unless the thread is
 * to be cancelled.
 */
#define THREAD_RESTARTED(call) KERNEL_RESTARTED(THREAD_CANCELLABLE(call))

#endif
