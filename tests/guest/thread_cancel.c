/* SPDX-License-Identifier: MIT */
/* Cancellation: state and type, when it acts, the order of cleanup handlers and destructors. */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "say.h"

static int gate[2], ready[2];
static pthread_key_t key;

static void tell_ready(void)
{
	if (write(ready[1], "x", 1) != 1)
		abort();
}

static void await_ready(void)
{
	char byte;
	if (read(ready[0], &byte, 1) != 1)
		abort();
}

static void say_text(void *text)
{
	puts(text);
}

/* Tells of the call after the thread's end, because both print. */
static void cancel_and_join(pthread_t thread)
{
	void *result;
	int error = pthread_cancel(thread), joined = pthread_join(thread, &result);
	printf("cancel %s, join %s, %s\n", errno_name(error), joined ? "failed" : "0",
	       result == PTHREAD_CANCELED ? "PTHREAD_CANCELED" : "another result");
}

static void values(void)
{
	int old;
	puts("state and type");
	SAY_ERROR(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
	SAY_TRUE(old == PTHREAD_CANCEL_ENABLE);
	SAY_ERROR(pthread_setcancelstate(77, &old));
	SAY_ERROR(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old));
	SAY_TRUE(old == PTHREAD_CANCEL_DISABLE);
	SAY_ERROR(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old));
	SAY_TRUE(old == PTHREAD_CANCEL_DEFERRED);
	SAY_ERROR(pthread_setcanceltype(77, &old));
	SAY_ERROR(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL));
	pthread_testcancel();
}

static void *clean_up_in_order(void *unused)
{
	(void)unused;
	pthread_setspecific(key, "destructor");
	pthread_cleanup_push(say_text, "first pushed");
	pthread_cleanup_push(say_text, "second pushed");
	pthread_cleanup_push(say_text, "popped and called");
	pthread_cleanup_pop(1);
	pthread_cleanup_push(say_text, "not called");
	pthread_cleanup_pop(0);
	tell_ready();
	for (;;)
		pause();
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *leave_with_handlers(void *unused)
{
	(void)unused;
	pthread_cleanup_push(say_text, "handler of pthread_exit");
	pthread_exit((void *)5);
	pthread_cleanup_pop(0);
}

static void *return_only(void *unused)
{
	(void)unused;
	pthread_cleanup_push(say_text, "called by its pop");
	pthread_cleanup_pop(1);
	return (void *)6;
}

static void order(void)
{
	pthread_t thread;
	void *result;
	puts("order");
	pthread_key_create(&key, say_text);
	pthread_create(&thread, NULL, clean_up_in_order, NULL);
	await_ready();
	cancel_and_join(thread);
	pthread_create(&thread, NULL, leave_with_handlers, NULL);
	pthread_join(thread, &result);
	SAY_TRUE(result == (void *)5);
	pthread_create(&thread, NULL, return_only, NULL);
	pthread_join(thread, &result);
	SAY_TRUE(result == (void *)6);
}

static void *disabled_for_a_while(void *unused)
{
	char byte;
	(void)unused;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	tell_ready();
	if (read(gate[0], &byte, 1) == 1)
		puts("read what came, though cancelled");
	pthread_testcancel();
	puts("still there");
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	puts("enabling is no cancellation point");
	pthread_testcancel();
	puts("not reached");
	return NULL;
}

static void disabled(void)
{
	pthread_t thread;
	void *result;
	puts("disabled");
	pthread_create(&thread, NULL, disabled_for_a_while, NULL);
	await_ready();
	int error = pthread_cancel(thread), again = pthread_cancel(thread);
	if (write(gate[1], "x", 1) != 1)
		abort();
	pthread_join(thread, &result);
	SAY_TRUE(error == 0 && again == 0);
	SAY_TRUE(result == PTHREAD_CANCELED);
}

static volatile int spins;

static void *spin_asynchronously(void *unused)
{
	(void)unused;
	pthread_cleanup_push(say_text, "handler of the spinning thread");
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	tell_ready();
	for (;;) {
		spins++;
		sched_yield();
	}
	pthread_cleanup_pop(0);
	return NULL;
}

static void *cancel_itself(void *type)
{
	pthread_cancel(pthread_self());
	if (type)
		puts("deferred: goes on");
	pthread_setcanceltype(type ? PTHREAD_CANCEL_DEFERRED : PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	if (!type)
		puts("not reached");
	pthread_testcancel();
	puts("not reached");
	return NULL;
}

static void asynchronous(void)
{
	pthread_t thread;
	void *result;
	puts("asynchronous");
	pthread_create(&thread, NULL, spin_asynchronously, NULL);
	await_ready();
	cancel_and_join(thread);
	for (int i = 0; i < 2; i++) {
		pthread_create(&thread, NULL, cancel_itself, i ? &thread : NULL);
		pthread_join(thread, &result);
		SAY_TRUE(result == PTHREAD_CANCELED);
	}
}

static void *return_at_once(void *unused)
{
	return unused;
}

static void after_its_end(void)
{
	pthread_t thread;
	void *result;
	puts("after its end");
	pthread_create(&thread, NULL, return_at_once, (void *)9);
	while (pthread_tryjoin_np(thread, &result) == EBUSY)
		sched_yield();
	SAY_TRUE(result == (void *)9);

	/* Cancelled before it runs, or at its end: both may be. */
	pthread_create(&thread, NULL, return_at_once, (void *)9);
	SAY_ERROR(pthread_cancel(thread));
	pthread_join(thread, &result);
	SAY_TRUE(result == (void *)9 || result == PTHREAD_CANCELED);
}

static void *handler_that_waits(void *unused)
{
	(void)unused;
	pthread_cleanup_push(say_text, "outermost");
	pthread_cleanup_push_defer_np(say_text, "deferring");
	tell_ready();
	for (;;)
		sleep(1000);
	pthread_cleanup_pop_restore_np(0);
	pthread_cleanup_pop(0);
	return NULL;
}

static void deferring(void)
{
	pthread_t thread;
	puts("handlers that defer");
	pthread_create(&thread, NULL, handler_that_waits, NULL);
	await_ready();
	cancel_and_join(thread);
}

int main(void)
{
	if (pipe(gate) < 0 || pipe(ready) < 0)
		return 1;
	values();
	order();
	disabled();
	asynchronous();
	after_its_end();
	deferring();
	return 0;
}
