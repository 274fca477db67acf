/* SPDX-License-Identifier: MIT */
/* Notification by a thread that calls a function. Timers send a signal, which programs cannot block or see, to a thread
 * of libc. That thread makes a thread for each expiration. */
#include "libc-port/src/thread/notify.h"

#include <stdlib.h>

#include "abi/linux_signal.h"
#include "libc-port/src/kernel.h"

#define SIGNAL_TIMER 32

struct call {
	void (*function)(union sigval);
	union sigval value;
};

struct timer {
	struct timer *next;
	int id;
	struct call call;
	pthread_attr_t attributes;
};

static struct timer *timers;
static pthread_t helper;

static void *run(void *argument)
{
	struct call call = *(struct call *)argument;
	free(argument);
	call.function(call.value);
	return NULL;
}

/* Makes attributes of a detached thread, because the program cannot join it. */
static pthread_attr_t detached(const pthread_attr_t *given)
{
	pthread_attr_t attributes = given ? *given : thread_default_attributes;
	attributes.__detach_state = PTHREAD_CREATE_DETACHED;
	return attributes;
}

static int begin_call(const struct call *call, const pthread_attr_t *attributes)
{
	pthread_t thread;
	struct call *copy = malloc(sizeof(*copy));
	if (!copy)
		return ENOMEM;
	*copy = *call;
	int error = thread_create(&thread, attributes, run, copy, false);
	if (error)
		free(copy);
	return error;
}

int notify_call(const struct sigevent *event)
{
	const struct call call = {event->sigev_notify_function, event->sigev_value};
	const pthread_attr_t attributes = detached(event->sigev_notify_attributes);
	int error = begin_call(&call, &attributes);
	return error ? kernel_refuse(error) : 0;
}

/* Finds the timer of a record, or NULL if it was deleted meanwhile. */
static struct timer *find_timer(const void *record)
{
	struct timer *timer = timers;
	while (timer && timer != record)
		timer = timer->next;
	return timer;
}

static void *serve(void *)
{
	const sigset_t all = ~0UL, wanted = 1UL << (SIGNAL_TIMER - 1);
	kcall_rt_sigprocmask(SIG_SETMASK, &all, NULL, sizeof(all));
	for (;;) {
		siginfo_t info;
		long sig = kcall_rt_sigtimedwait(&wanted, (struct linux_siginfo *)&info, NULL, sizeof(wanted));
		struct timer *timer = sig == SIGNAL_TIMER ? find_timer(info.__fields.__timer.__value.sival_ptr) : NULL;
		if (timer)
			/* If no thread can be made, the expiration is lost. */
			begin_call(&timer->call, &timer->attributes);
	}
	return NULL;
}

/* Starts libc's thread. Returns 0 or the error number. */
static int start_helper(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	int error = 0;
	pthread_mutex_lock(&lock);
	if (!helper) {
		pthread_t made;
		error = thread_create(&made, &thread_default_attributes, serve, NULL, true);
		if (!error)
			helper = made;
	}
	pthread_mutex_unlock(&lock);
	return error;
}

int notify_timer_create(clockid_t clock, const struct sigevent *event, timer_t *id)
{
	struct timer *timer = malloc(sizeof(*timer));
	int error = timer ? start_helper() : ENOMEM;
	if (error) {
		free(timer);
		return kernel_refuse(error);
	}
	const struct linux_sigevent kernel_event = {
		.sigev_value = (uint64_t)timer,
		.sigev_signo = SIGNAL_TIMER,
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_tid = (int)((struct pthread *)helper)->tid,
	};
	timer->call = (struct call){event->sigev_notify_function, event->sigev_value};
	timer->attributes = detached(event->sigev_notify_attributes);
	if (kernel_result(kcall_timer_create(clock, &kernel_event, &timer->id)) < 0) {
		free(timer);
		return -1;
	}
	timer->next = timers;
	timers = timer;
	*id = (timer_t)(long)timer->id;
	return 0;
}

void notify_timer_delete(int id)
{
	for (struct timer **link = &timers; *link; link = &(*link)->next) {
		struct timer *timer = *link;
		if (timer->id != id)
			continue;
		*link = timer->next;
		free(timer);
		return;
	}
}
