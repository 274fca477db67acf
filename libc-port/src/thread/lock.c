/* SPDX-License-Identifier: MIT */
/* newlib's retargetable locks. Each knows its holder, which may take a recursive lock again.
 *
 * No other thread can run between two accesses here (thread.h), so a free lock needs no atomic instruction. */
#include <assert.h>
#include <stdlib.h>
#include <sys/lock.h>

#include "libc-port/src/thread/thread.h"

enum {
	FREE,
	HELD,
	HELD_AND_WAITED_FOR,
};

struct __lock {
	uint32_t state; /* a futex */
	uint32_t holder;
	uint32_t depth; /* of a recursive lock: how often the holder has taken it */
};

/* newlib's own locks, which it declares by these names. */
struct __lock __lock___sinit_recursive_mutex;
struct __lock __lock___sfp_recursive_mutex;
struct __lock __lock___atexit_recursive_mutex;
struct __lock __lock___at_quick_exit_mutex;
struct __lock __lock___malloc_recursive_mutex;
struct __lock __lock___env_recursive_mutex;
struct __lock __lock___tz_mutex;
struct __lock __lock___dd_hash_mutex;
struct __lock __lock___arc4random_mutex;

static __attribute__((noinline, cold)) void wait_for(struct __lock *lock)
{
	volatile uint32_t *state = &lock->state;
	while (*state != FREE) {
		*state = HELD_AND_WAITED_FOR;
		thread_wait(&lock->state, HELD_AND_WAITED_FOR, CLOCK_REALTIME, NULL, THREAD_WAIT_libc_lock, lock,
		            &lock->holder, false);
	}
	/* Other threads may wait, too. */
	*state = HELD_AND_WAITED_FOR;
}

static void take_libc_lock(struct __lock *lock, uint32_t self)
{
	if (lock->state == FREE)
		lock->state = HELD;
	else
		wait_for(lock);
	lock->holder = self;
	lock->depth = 1;
}

void __retarget_lock_init(_LOCK_T *lock)
{
	*lock = calloc(1, sizeof(struct __lock));
	if (!*lock)
		abort();
}

void __retarget_lock_init_recursive(_LOCK_T *lock)
{
	__retarget_lock_init(lock);
}

void __retarget_lock_close(_LOCK_T lock)
{
	free(lock);
}

void __retarget_lock_close_recursive(_LOCK_T lock)
{
	free(lock);
}

void __retarget_lock_acquire(_LOCK_T lock)
{
	take_libc_lock(lock, thread_self()->tid_kept);
}

void __retarget_lock_acquire_recursive(_LOCK_T lock)
{
	uint32_t self = thread_self()->tid_kept;
	if (lock->state != FREE && lock->holder == self)
		lock->depth++;
	else
		take_libc_lock(lock, self);
}

/* Returns 1 if it took the lock, and otherwise 0, as stdio's ftrylockfile and newlib's <sys/lock.h> expect. */
int __retarget_lock_try_acquire(_LOCK_T lock)
{
	if (lock->state != FREE)
		return 0;
	take_libc_lock(lock, thread_self()->tid_kept);
	return 1;
}

int __retarget_lock_try_acquire_recursive(_LOCK_T lock)
{
	if (lock->state != FREE && lock->holder != thread_self()->tid_kept)
		return 0;
	__retarget_lock_acquire_recursive(lock);
	return 1;
}

void __retarget_lock_release(_LOCK_T lock)
{
	assert(lock->holder == thread_self()->tid_kept);
	assert(lock->depth > 0);
	if (--lock->depth)
		return;
	uint32_t was = lock->state;
	lock->holder = 0;
	lock->state = FREE;
	if (was == HELD_AND_WAITED_FOR)
		thread_wake(&lock->state, 1);
}

void __retarget_lock_release_recursive(_LOCK_T lock)
{
	__retarget_lock_release(lock);
}
