/* SPDX-License-Identifier: MIT */
/* Threads that are made, joined and detached: values, errors, names. */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

static void *twice(void *argument)
{
	return (void *)(2 * (intptr_t)argument);
}

static void *leave(void *argument)
{
	pthread_exit((char *)argument + 1);
}

static void values(void)
{
	pthread_t threads[20];
	void *result;
	long sum = 0;
	puts("values");
	for (intptr_t i = 0; i < 20; i++)
		pthread_create(&threads[i], NULL, i % 2 ? twice : leave, (void *)i);
	for (int i = 19; i >= 0; i--) {
		pthread_join(threads[i], &result);
		printf("%d gives %ld\n", i, (long)(intptr_t)result);
		sum += (intptr_t)result;
	}
	printf("sum %ld\n", sum);
}

static pthread_t told_self;

static void *tell_self(void *created)
{
	told_self = pthread_self();
	*(int *)created = pthread_equal(pthread_self(), pthread_self()) != 0;
	return NULL;
}

static void identity(void)
{
	pthread_t thread;
	int same = 0;
	puts("identity");
	SAY_ERROR(pthread_create(&thread, NULL, tell_self, &same));
	SAY_ERROR(pthread_join(thread, NULL));
	SAY_TRUE(pthread_equal(thread, told_self) != 0);
	SAY_TRUE(pthread_equal(thread, pthread_self()) == 0);
	SAY_TRUE(same);
}

static void *wait_for_byte(void *fd)
{
	char byte;
	return (void *)(intptr_t)read(*(int *)fd, &byte, 1);
}

static struct timespec soon(clockid_t clock, long ms)
{
	struct timespec now;
	clock_gettime(clock, &now);
	now.tv_nsec += ms * 1000000;
	now.tv_sec += now.tv_nsec / 1000000000;
	now.tv_nsec %= 1000000000;
	return now;
}

static void giving_up(void)
{
	pthread_t thread;
	int fds[2];
	void *result;
	struct timespec deadline;
	puts("joins that give up");
	if (pipe(fds) < 0)
		exit(1);
	pthread_create(&thread, NULL, wait_for_byte, &fds[0]);
	SAY_ERROR(pthread_tryjoin_np(thread, &result));
	deadline = soon(CLOCK_REALTIME, 10);
	SAY_ERROR(pthread_timedjoin_np(thread, &result, &deadline));
	deadline = soon(CLOCK_MONOTONIC, 10);
	SAY_ERROR(pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &deadline));
	deadline.tv_sec = -1;
	SAY_ERROR(pthread_timedjoin_np(thread, &result, &deadline));
	SAY(write(fds[1], "x", 1));
	deadline = soon(CLOCK_MONOTONIC, 60000);
	SAY_ERROR(pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &deadline));
	SAY_TRUE((intptr_t)result == 1);

	pthread_create(&thread, NULL, twice, (void *)21);
	deadline = soon(CLOCK_REALTIME, 60000);
	SAY_ERROR(pthread_timedjoin_np(thread, &result, &deadline));
	SAY_TRUE((intptr_t)result == 42);
	pthread_create(&thread, NULL, twice, (void *)4);
	while (pthread_tryjoin_np(thread, &result) == EBUSY)
		sched_yield();
	SAY_TRUE((intptr_t)result == 8);
	close(fds[0]);
	close(fds[1]);
}

static void errors(void)
{
	pthread_t thread;
	pthread_attr_t attr;
	int fds[2];
	puts("errors");
	if (pipe(fds) < 0)
		exit(1);
	SAY_ERROR(pthread_join(pthread_self(), NULL));
	pthread_create(&thread, NULL, wait_for_byte, &fds[0]);
	SAY_ERROR(pthread_detach(thread));
	SAY_ERROR(pthread_join(thread, NULL));
	SAY_ERROR(pthread_detach(thread));
	SAY(write(fds[1], "x", 1));

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_create(&thread, &attr, wait_for_byte, &fds[0]);
	SAY_ERROR(pthread_join(thread, NULL));
	SAY(write(fds[1], "x", 1));
	pthread_attr_destroy(&attr);
	close(fds[1]);
}

static void *detach_self(void *done)
{
	int error = pthread_detach(pthread_self());
	if (write(*(int *)done, &error, sizeof(error)) < 0)
		abort();
	return NULL;
}

static void detaching(void)
{
	pthread_t thread;
	int fds[2], error, sum = 0;
	puts("threads that detach themselves");
	if (pipe(fds) < 0)
		exit(1);
	for (int i = 0; i < 50; i++)
		pthread_create(&thread, NULL, detach_self, &fds[1]);
	for (int i = 0; i < 50; i++)
		if (read(fds[0], &error, sizeof(error)) == sizeof(error))
			sum += error == 0;
	SAY_TRUE(sum == 50);
}

static void *own_name(void *name)
{
	pthread_setname_np(pthread_self(), "worker");
	pthread_getname_np(pthread_self(), name, 16);
	return NULL;
}

static void names(void)
{
	pthread_t thread;
	char name[16] = "", first[16] = "";
	puts("names");
	SAY_ERROR(pthread_setname_np(pthread_self(), "the first"));
	pthread_create(&thread, NULL, own_name, name);
	pthread_join(thread, NULL);
	SAY_ERROR(pthread_getname_np(pthread_self(), first, sizeof(first)));
	printf("%s, %s\n", first, name);
	SAY_ERROR(pthread_getname_np(pthread_self(), first, 4));
	SAY_ERROR(pthread_setname_np(pthread_self(), "longer than 15 bytes"));
}

int main(void)
{
	values();
	identity();
	giving_up();
	errors();
	detaching();
	names();
	return 0;
}
