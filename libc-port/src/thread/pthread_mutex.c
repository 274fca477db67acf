/* SPDX-License-Identifier: MIT */
/* Mutexes. Compiled without ticks, so the code between decision points and kernel calls is atomic.
 *
 * The futex word has the owner's number, LOCK_WAITERS if a thread may wait, and LOCK_OWNER_DIED. This is the format in
 * which the kernel walks a dying thread's list of robust mutexes (set_robust_list(2)). Unlocking frees the word and
 * wakes one waiting thread, which the policy chooses. The woken thread does not own the mutex yet: the thread that runs
 * first takes it, as in glibc, and that may be the one that unlocked. PTHREAD_PRIO_INHERIT and PTHREAD_PRIO_PROTECT
 * change no priority, because priorities do not decide which thread runs. */
#include "libc-port/src/thread/pthread_mutex.h"

#include <errno.h>
#include <sched.h>

#include "libc-port/src/thread/deadline.h"

/* State of a robust mutex; other mutexes stay consistent. */
enum state { CONSISTENT, INCONSISTENT, NOT_RECOVERABLE };

_Static_assert(sizeof(struct thread_robust) == sizeof(void *), "__robust is an entry of the robust list");

static uint32_t owner(const pthread_mutex_t *mutex)
{
	return mutex->__word & LOCK_HOLDER;
}

static int type(const pthread_mutex_t *mutex)
{
	return mutex->__kind & MUTEX_TYPE;
}

static struct thread_robust *robust_entry(pthread_mutex_t *mutex)
{
	return (struct thread_robust *)(void *)&mutex->__robust;
}

static void robust_link(struct pthread *self, pthread_mutex_t *mutex)
{
	if (!self->robust_known) {
		self->robust.futex_offset =
			(long)offsetof(pthread_mutex_t, __word) - (long)offsetof(pthread_mutex_t, __robust);
		thread_robust_begin();
	}
	robust_entry(mutex)->next = self->robust.list.next;
	self->robust.list.next = robust_entry(mutex);
}

static void robust_unlink(struct pthread *self, pthread_mutex_t *mutex)
{
	struct thread_robust *before = &self->robust.list;
	while (before->next != robust_entry(mutex))
		before = before->next;
	before->next = robust_entry(mutex)->next;
}

/* Takes a mutex without an owner. */
static int take_unowned(struct pthread *self, pthread_mutex_t *mutex)
{
	bool died = mutex->__word & LOCK_OWNER_DIED;
	mutex->__word = self->tid | (mutex->__waiters ? LOCK_WAITERS : 0);
	mutex->__depth = 0;
	if (!(mutex->__kind & MUTEX_ROBUST))
		return 0;
	robust_link(self, mutex);
	if (!died)
		return 0;
	mutex->__state = INCONSISTENT;
	return EOWNERDEAD;
}

/* Returns the error of a mutex that cannot be locked, or 0. */
static int refusal(const pthread_mutex_t *mutex)
{
	struct sched_param param;
	if (mutex->__kind == MUTEX_DESTROYED)
		return EINVAL;
	if (mutex->__kind & MUTEX_PROTECT && sched_getparam(0, &param) == 0 && param.sched_priority > mutex->__ceiling)
		return EINVAL;
	return mutex->__state == NOT_RECOVERABLE ? ENOTRECOVERABLE : 0;
}

static int deepen(pthread_mutex_t *mutex)
{
	if (mutex->__depth == UINT_MAX)
		return EAGAIN;
	mutex->__depth++;
	return 0;
}

int mutex_acquire(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline)
{
	struct pthread *self = thread_self();
	if (owner(mutex) == self->tid && type(mutex) == PTHREAD_MUTEX_RECURSIVE)
		return deepen(mutex);
	if (owner(mutex) == self->tid && type(mutex) == PTHREAD_MUTEX_ERRORCHECK)
		return EDEADLK;
	int error = refusal(mutex);
	while (!error && owner(mutex)) {
		mutex->__word |= LOCK_WAITERS;
		mutex->__waiters++;
		error = thread_wait(&mutex->__word, mutex->__word, clock, deadline, THREAD_WAIT_mutex, mutex,
		                    &mutex->__word, false);
		mutex->__waiters--;
		if (error != ETIMEDOUT && error != EINVAL)
			error = refusal(mutex);
	}
	return error ? error : take_unowned(self, mutex);
}

int mutex_let_go(pthread_mutex_t *mutex, int *wake)
{
	struct pthread *self = thread_self();
	if (mutex->__kind == MUTEX_DESTROYED)
		return EINVAL;
	bool owned = type(mutex) == PTHREAD_MUTEX_RECURSIVE || type(mutex) == PTHREAD_MUTEX_ERRORCHECK;
	if ((owned || mutex->__kind & (MUTEX_ROBUST | MUTEX_INHERIT)) && owner(mutex) != self->tid)
		return EPERM;
	if (mutex->__depth) {
		mutex->__depth--;
		*wake = MUTEX_KEPT;
		return 0;
	}
	*wake = mutex->__word & LOCK_WAITERS ? 1 : 0;
	if (mutex->__kind & MUTEX_ROBUST) {
		robust_unlink(self, mutex);
		if (mutex->__state == INCONSISTENT) {
			mutex->__state = NOT_RECOVERABLE;
			*wake = INT_MAX; /* all waiting threads fail with ENOTRECOVERABLE */
		}
	}
	return 0;
}

int mutex_release(pthread_mutex_t *mutex)
{
	int wake, error = mutex_let_go(mutex, &wake);
	if (error || wake == MUTEX_KEPT)
		return error;
	/* From here on another thread may own the mutex or destroy it. */
	mutex->__word = 0;
	if (wake)
		thread_wake(&mutex->__word, wake);
	return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	thread_point(SCHED_OP_pthread_mutex_lock, mutex);
	if (mutex->__word || mutex->__kind != PTHREAD_MUTEX_NORMAL)
		return mutex_acquire(mutex, CLOCK_REALTIME, NULL);
	mutex->__word = thread_self()->tid;
	return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	thread_point(SCHED_OP_pthread_mutex_unlock, mutex);
	if (mutex->__word & LOCK_WAITERS || mutex->__kind != PTHREAD_MUTEX_NORMAL)
		return mutex_release(mutex);
	mutex->__word = 0;
	return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	thread_point(SCHED_OP_pthread_mutex_trylock, mutex);
	struct pthread *self = thread_self();
	int error = refusal(mutex);
	if (error)
		return error;
	if (owner(mutex) == self->tid && type(mutex) == PTHREAD_MUTEX_RECURSIVE)
		return deepen(mutex);
	return owner(mutex) ? EBUSY : take_unowned(self, mutex);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline)
{
	thread_point(SCHED_OP_pthread_mutex_lock, mutex);
	int error = deadline_check_clock(clock);
	return error ? error : mutex_acquire(mutex, clock, deadline);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline)
{
	return pthread_mutex_clocklock(mutex, CLOCK_REALTIME, deadline);
}

int pthread_mutex_consistent(pthread_mutex_t *mutex)
{
	if (!(mutex->__kind & MUTEX_ROBUST) || mutex->__state != INCONSISTENT)
		return EINVAL;
	mutex->__state = CONSISTENT;
	return 0;
}

int pthread_mutex_consistent_np(pthread_mutex_t *mutex)
{
	return pthread_mutex_consistent(mutex);
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	static const pthread_mutexattr_t none;
	const pthread_mutexattr_t *a = attributes ? attributes : &none;
	*mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	mutex->__kind = a->__type;
	if (a->__robust == PTHREAD_MUTEX_ROBUST)
		mutex->__kind |= MUTEX_ROBUST;
	if (a->__protocol == PTHREAD_PRIO_INHERIT)
		mutex->__kind |= MUTEX_INHERIT;
	if (a->__protocol == PTHREAD_PRIO_PROTECT) {
		mutex->__kind |= MUTEX_PROTECT;
		pthread_mutexattr_getprioceiling(a, &mutex->__ceiling);
	}
	return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	if (owner(mutex) || mutex->__waiters)
		return EBUSY;
	mutex->__kind = MUTEX_DESTROYED;
	return 0;
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *restrict mutex, int *ceiling)
{
	if (mutex->__kind == MUTEX_DESTROYED || !(mutex->__kind & MUTEX_PROTECT))
		return EINVAL;
	*ceiling = mutex->__ceiling;
	return 0;
}

int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old)
{
	pthread_mutexattr_t valid = {0};
	if (mutex->__kind == MUTEX_DESTROYED || !(mutex->__kind & MUTEX_PROTECT))
		return EINVAL;
	int error = pthread_mutexattr_setprioceiling(&valid, ceiling);
	if (!error)
		error = pthread_mutex_lock(mutex);
	if (error)
		return error;
	if (old)
		*old = mutex->__ceiling;
	mutex->__ceiling = ceiling;
	return pthread_mutex_unlock(mutex);
}
