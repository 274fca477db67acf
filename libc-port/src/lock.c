/* SPDX-License-Identifier: MIT */
/* newlib's retargetable locks. There is one thread, so a lock only counts how deep it is held.
 *
 * The seam for threads: struct __lock and the two functions acquire and release below. */
#include <assert.h>
#include <stdlib.h>
#include <sys/lock.h>

struct __lock {
	unsigned depth;
};

/* newlib declares these names; each is one of its own locks. */
struct __lock __lock___sinit_recursive_mutex;
struct __lock __lock___sfp_recursive_mutex;
struct __lock __lock___atexit_recursive_mutex;
struct __lock __lock___at_quick_exit_mutex;
struct __lock __lock___malloc_recursive_mutex;
struct __lock __lock___env_recursive_mutex;
struct __lock __lock___tz_mutex;
struct __lock __lock___dd_hash_mutex;
struct __lock __lock___arc4random_mutex;

static void acquire(struct __lock *lock)
{
	lock->depth++;
}

static void release(struct __lock *lock)
{
	assert(lock->depth > 0);
	lock->depth--;
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
	acquire(lock);
}

void __retarget_lock_acquire_recursive(_LOCK_T lock)
{
	acquire(lock);
}

int __retarget_lock_try_acquire(_LOCK_T lock)
{
	acquire(lock);
	return 1;
}

int __retarget_lock_try_acquire_recursive(_LOCK_T lock)
{
	acquire(lock);
	return 1;
}

void __retarget_lock_release(_LOCK_T lock)
{
	release(lock);
}

void __retarget_lock_release_recursive(_LOCK_T lock)
{
	release(lock);
}
