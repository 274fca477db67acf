/* SPDX-License-Identifier: MIT */
/* The start and the end of threads. */
#include <errno.h>
#include <limits.h>
#include <threads.h>
#include <unistd.h>

#include "next.h"

NEXT(pthread_create, NULL)
NEXT(pthread_join, NULL)
NEXT(pthread_tryjoin_np, NULL)
NEXT(pthread_timedjoin_np, NULL)
NEXT(pthread_clockjoin_np, NULL)
NEXT(pthread_detach, NULL)
NEXT(fork, NULL)

static pthread_key_t key;
static int rounds_left; /* of destructors, by the value of the key */

/* The first rounds are those of the program's destructors. */
static void end_thread(void *value)
{
	const uintptr_t left = (uintptr_t)value;
	if (left > 1 && !pthread_setspecific(key, (void *)(left - 1)))
		return;
	threads_end();
}

/* Memory of the thread's stack may have been another one's. Its thread-local variables are above the stack. */
static void forget_stack(void)
{
	pthread_attr_t attributes;
	void *stack;
	size_t bytes;
	if (pthread_getattr_np(pthread_self(), &attributes))
		return;
	if (!pthread_attr_getstack(&attributes, &stack, &bytes))
		shadow_forget((uint64_t)stack, bytes);
	pthread_attr_destroy(&attributes);
}

/* A signal's handler may have run here before, as a thread that was not known: what it did is this thread's. */
static void begin_thread(struct thread *thread)
{
	forget_stack();
	thread->id = pthread_self();
	struct thread *handler =
		__atomic_exchange_n(&tsan_self, thread, __ATOMIC_RELAXED); /* one may run at any moment */
	if (handler)
		threads_join(thread, handler);
	pthread_setspecific(key, (void *)(uintptr_t)rounds_left);
}

static void *run_thread(void *context)
{
	struct thread *thread = context;
	begin_thread(thread);
	return thread->run(thread->argument);
}

static void make_key(void)
{
	if (rounds_left)
		return;
	rounds_left = PTHREAD_DESTRUCTOR_ITERATIONS;
	if (pthread_key_create(&key, end_thread)) {
		tsan_state = TSAN_OFF;
		tsan_lost.accesses++;
	}
}

/* The thread that is made now; NULL: it is not to be looked at. */
static struct thread *prepare_thread(bool is_detached)
{
	tsan_start();
	if (tsan_state == TSAN_OFF)
		return NULL;
	make_key();
	if (tsan_state == TSAN_SINGLE)
		tsan_state = TSAN_ON;
	struct thread *thread = tsan_thread() ? threads_make(tsan_self) : NULL;
	if (thread)
		thread->is_detached = is_detached;
	return thread;
}

/* The new thread may have run already, and its memory may be another one's. */
static int made(struct thread *thread, uint32_t number, const pthread_t *id, int error)
{
	if (error)
		threads_drop(thread);
	else if (thread->number == number && !thread->has_ended)
		thread->id = *id;
	return error;
}

EXPORT int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
	int state = PTHREAD_CREATE_JOINABLE;
	if (attributes)
		pthread_attr_getdetachstate(attributes, &state);
	struct thread *thread = prepare_thread(state == PTHREAD_CREATE_DETACHED);
	if (!thread)
		return next_pthread_create()(id, attributes, run, argument);
	thread->run = run;
	thread->argument = argument;
	const uint32_t number = thread->number;
	return made(thread, number, id, next_pthread_create()(id, attributes, run_thread, thread));
}

/* A child has the memory as it was at this moment: what any thread did comes before. */
EXPORT pid_t fork(void)
{
	const pid_t child = next_fork()();
	if (!child && tsan_self)
		threads_follow_all(tsan_self);
	return child;
}

/* The child of vfork() would close descriptors in its parent's memory, where they would count as closed. So it gets a
 * copy. */
EXPORT pid_t vfork(void)
{
	return fork();
}

static int joined(struct thread *ended, int error)
{
	if (ended && !error)
		threads_join(tsan_thread(), ended);
	return error;
}

EXPORT int pthread_join(pthread_t id, void **result)
{
	struct thread *ended = threads_by_id(id);
	return joined(ended, next_pthread_join()(id, result));
}

EXPORT int pthread_tryjoin_np(pthread_t id, void **result)
{
	struct thread *ended = threads_by_id(id);
	return joined(ended, next_pthread_tryjoin_np()(id, result));
}

EXPORT int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *time)
{
	struct thread *ended = threads_by_id(id);
	return joined(ended, next_pthread_timedjoin_np()(id, result, time));
}

EXPORT int pthread_clockjoin_np(pthread_t id, void **result, clockid_t clock, const struct timespec *time)
{
	struct thread *ended = threads_by_id(id);
	return joined(ended, next_pthread_clockjoin_np()(id, result, clock, time));
}

EXPORT int pthread_detach(pthread_t id)
{
	struct thread *thread = threads_by_id(id);
	if (thread)
		thread->is_detached = true;
	return next_pthread_detach()(id);
}

/* --- C11 --- */

static void *run_c11(void *context)
{
	struct thread *thread = context;
	begin_thread(thread);
	return (void *)(intptr_t)thread->run_c11(thread->argument);
}

EXPORT int thrd_create(thrd_t *id, thrd_start_t run, void *argument)
{
	struct thread *thread = prepare_thread(false);
	static __typeof__(thrd_create) *next;
	if (!thread) {
		next = next ? next : (__typeof__(thrd_create) *)tsan_next("thrd_create", NULL);
		return next(id, run, argument);
	}
	thread->run_c11 = run;
	thread->argument = argument;
	const uint32_t number = thread->number;
	const int error = made(thread, number, id, next_pthread_create()(id, NULL, run_c11, thread));
	return !error ? thrd_success : error == ENOMEM ? thrd_nomem : thrd_error;
}

EXPORT int thrd_join(thrd_t id, int *result)
{
	void *value;
	if (pthread_join(id, &value))
		return thrd_error;
	if (result)
		*result = (int)(intptr_t)value;
	return thrd_success;
}

EXPORT int thrd_detach(thrd_t id)
{
	return pthread_detach(id) ? thrd_error : thrd_success;
}
