/* SPDX-License-Identifier: MIT */
/* Attributes of threads: their values, what is refused, and that they have an effect. */
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "say.h"

static void defaults(void)
{
	pthread_attr_t attr;
	int value;
	size_t bytes;
	void *address;
	struct sched_param param;
	puts("defaults");
	SAY_ERROR(pthread_attr_init(&attr));
	SAY_ERROR(pthread_attr_getdetachstate(&attr, &value));
	SAY_TRUE(value == PTHREAD_CREATE_JOINABLE);
	SAY_ERROR(pthread_attr_getinheritsched(&attr, &value));
	SAY_TRUE(value == PTHREAD_INHERIT_SCHED);
	SAY_ERROR(pthread_attr_getscope(&attr, &value));
	SAY_TRUE(value == PTHREAD_SCOPE_SYSTEM);
	SAY_ERROR(pthread_attr_getschedpolicy(&attr, &value));
	SAY_TRUE(value == SCHED_OTHER);
	SAY_ERROR(pthread_attr_getschedparam(&attr, &param));
	SAY_TRUE(param.sched_priority == 0);
	SAY_ERROR(pthread_attr_getguardsize(&attr, &bytes));
	SAY_TRUE(bytes == (size_t)getpagesize());
	SAY_ERROR(pthread_attr_getstacksize(&attr, &bytes));
	SAY_TRUE(bytes >= (size_t)PTHREAD_STACK_MIN);
	SAY_ERROR(pthread_attr_getstack(&attr, &address, &bytes));
	SAY_ERROR(pthread_attr_destroy(&attr));
}

static void setting(void)
{
	pthread_attr_t attr;
	int value;
	size_t bytes;
	struct sched_param param = {.sched_priority = 7};
	puts("setting");
	pthread_attr_init(&attr);
	SAY_ERROR(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED));
	SAY_ERROR(pthread_attr_setdetachstate(&attr, 77));
	SAY_TRUE(pthread_attr_getdetachstate(&attr, &value) == 0 && value == PTHREAD_CREATE_DETACHED);
	SAY_ERROR(pthread_attr_setstacksize(&attr, 1000));
	SAY_ERROR(pthread_attr_setstacksize(&attr, 123456));
	SAY_TRUE(pthread_attr_getstacksize(&attr, &bytes) == 0 && bytes == 123456);
	SAY_ERROR(pthread_attr_setguardsize(&attr, 10000));
	SAY_TRUE(pthread_attr_getguardsize(&attr, &bytes) == 0 && bytes == 10000);
	SAY_ERROR(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED));
	SAY_ERROR(pthread_attr_setinheritsched(&attr, 77));
	SAY_TRUE(pthread_attr_getinheritsched(&attr, &value) == 0 && value == PTHREAD_EXPLICIT_SCHED);
	SAY_ERROR(pthread_attr_setscope(&attr, PTHREAD_SCOPE_SYSTEM));
	SAY_ERROR(pthread_attr_setscope(&attr, PTHREAD_SCOPE_PROCESS));
	SAY_ERROR(pthread_attr_setscope(&attr, 77));
	SAY_ERROR(pthread_attr_setschedparam(&attr, &param));
	SAY_ERROR(pthread_attr_setschedpolicy(&attr, SCHED_RR));
	SAY_ERROR(pthread_attr_setschedpolicy(&attr, 77));
	SAY_TRUE(pthread_attr_getschedpolicy(&attr, &value) == 0 && value == SCHED_RR);
	SAY_ERROR(pthread_attr_setschedparam(&attr, &param));
	param.sched_priority = 100;
	SAY_ERROR(pthread_attr_setschedparam(&attr, &param));
	SAY_TRUE(pthread_attr_getschedparam(&attr, &param) == 0 && param.sched_priority == 7);
	pthread_attr_destroy(&attr);
}

static void *is_on_stack(void *stack)
{
	char here;
	return (void *)(intptr_t)(&here > (char *)stack && &here < (char *)stack + 65536);
}

static void given_stack(void)
{
	static _Alignas(4096) char stack[65536];
	pthread_t thread;
	pthread_attr_t attr;
	void *result, *address;
	size_t bytes;
	puts("a stack of the program's");
	pthread_attr_init(&attr);
	SAY_ERROR(pthread_attr_setstack(&attr, stack, 1000));
	SAY_ERROR(pthread_attr_setstack(&attr, stack, sizeof(stack)));
	SAY_ERROR(pthread_attr_getstack(&attr, &address, &bytes));
	SAY_TRUE(address == stack && bytes == sizeof(stack));
	for (int i = 0; i < 3; i++) {
		SAY_ERROR(pthread_create(&thread, &attr, is_on_stack, stack));
		SAY_ERROR(pthread_join(thread, &result));
		SAY_TRUE(result != NULL);
	}
	pthread_attr_destroy(&attr);
}

/* Uses most of a stack of the size asked for. */
static int __attribute__((noinline)) deep(int levels)
{
	volatile char frame[1000];
	frame[0] = (char)levels;
	return levels ? deep(levels - 1) + frame[0] - (char)levels : 1;
}

static void *use_stack(void *kilobytes)
{
	pthread_attr_t attr;
	void *address;
	size_t bytes;
	char here;
	bytes = 0;
	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &address, &bytes);
	if (&here < (char *)address || &here >= (char *)address + bytes)
		return NULL;
	return (void *)(intptr_t)deep((int)(intptr_t)kilobytes * 7 / 8);
}

static void sizes(void)
{
	static const int kilobytes[] = {64, 100, 1000, 4096, 9000};
	pthread_t thread;
	pthread_attr_t attr;
	void *result;
	puts("stacks of several sizes");
	pthread_attr_init(&attr);
	for (unsigned i = 0; i < sizeof(kilobytes) / sizeof(kilobytes[0]); i++) {
		pthread_attr_setstacksize(&attr, (size_t)kilobytes[i] * 1024);
		pthread_attr_setguardsize(&attr, i % 2 ? 0 : 8192);
		int error = pthread_create(&thread, &attr, use_stack, (void *)(intptr_t)kilobytes[i]);
		pthread_join(thread, &result);
		printf("%d KiB: %d %s\n", kilobytes[i], error, result ? "used" : "not there");
	}
	SAY_TRUE(use_stack((void *)1) != NULL);
	pthread_attr_destroy(&attr);
}

static void *own_attributes(void *attr)
{
	return pthread_getattr_np(pthread_self(), attr) ? NULL : attr;
}

static void of_a_thread(void)
{
	pthread_t thread;
	pthread_attr_t attr, found;
	size_t bytes;
	int value;
	puts("attributes of a thread");
	pthread_attr_init(&attr);
	pthread_attr_setguardsize(&attr, 8192);
	pthread_attr_setstacksize(&attr, 262144);
	pthread_create(&thread, &attr, own_attributes, &found);
	pthread_join(thread, NULL);
	SAY_TRUE(pthread_attr_getguardsize(&found, &bytes) == 0 && bytes == 8192);
	SAY_TRUE(pthread_attr_getdetachstate(&found, &value) == 0 && value == PTHREAD_CREATE_JOINABLE);
	SAY_TRUE(pthread_attr_getstacksize(&found, &bytes) == 0 && bytes >= 262144 - 8192);

	puts("defaults that are set");
	SAY_ERROR(pthread_getattr_default_np(&attr));
	pthread_attr_setguardsize(&attr, 16384);
	SAY_ERROR(pthread_setattr_default_np(&attr));
	pthread_create(&thread, NULL, own_attributes, &found);
	pthread_join(thread, NULL);
	SAY_TRUE(pthread_attr_getguardsize(&found, &bytes) == 0 && bytes == 16384);
	pthread_attr_destroy(&attr);
	pthread_attr_destroy(&found);
}

static void *mask_of(void *mask)
{
	pthread_sigmask(SIG_SETMASK, NULL, mask);
	return NULL;
}

static void masks_and_processors(void)
{
	pthread_t thread;
	pthread_attr_t attr;
	sigset_t mask, found;
	cpu_set_t set, got;
	puts("masks and processors");
	pthread_attr_init(&attr);
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR2);
	SAY_TRUE(pthread_attr_getsigmask_np(&attr, &found) == PTHREAD_ATTR_NO_SIGMASK_NP);
	SAY_ERROR(pthread_attr_setsigmask_np(&attr, &mask));
	SAY_TRUE(pthread_attr_getsigmask_np(&attr, &found) == 0 && sigismember(&found, SIGUSR2));
	sigaddset(&mask, SIGUSR1);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	pthread_create(&thread, &attr, mask_of, &found);
	pthread_join(thread, NULL);
	SAY_TRUE(!sigismember(&found, SIGUSR1) && sigismember(&found, SIGUSR2));
	SAY_ERROR(pthread_attr_setsigmask_np(&attr, NULL));
	pthread_create(&thread, &attr, mask_of, &found);
	pthread_join(thread, NULL);
	SAY_TRUE(sigismember(&found, SIGUSR1) && sigismember(&found, SIGUSR2));

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	SAY_ERROR(pthread_attr_setaffinity_np(&attr, sizeof(set), &set));
	SAY_ERROR(pthread_attr_getaffinity_np(&attr, sizeof(got), &got));
	SAY_TRUE(CPU_COUNT(&got) == 1 && CPU_ISSET(0, &got));
	SAY_ERROR(pthread_create(&thread, &attr, mask_of, &found));
	SAY_ERROR(pthread_join(thread, NULL));
	CPU_ZERO(&set);
	CPU_SET(1000, &set);
	pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	SAY_ERROR(pthread_create(&thread, &attr, mask_of, &found));
	pthread_attr_destroy(&attr);
}

int main(void)
{
	defaults();
	setting();
	given_stack();
	sizes();
	of_a_thread();
	masks_and_processors();
	return 0;
}
