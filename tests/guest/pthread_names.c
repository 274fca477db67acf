/* SPDX-License-Identifier: MIT */
/* <pthread.h> and <threads.h> leave a program the names of <unistd.h> and <signal.h>, and have glibc's own names of
 * mutex types without _GNU_SOURCE. */
#undef _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

static int pipe = 1, access = 2, dup = 3, sigaction = 4, killpg = 5;
static struct {
	int pause;
} link = {6};

static int kill(int number)
{
	return number;
}

static int raise(int number)
{
	return number + 1;
}

static int types(void)
{
	pthread_mutexattr_t attributes;
	static const int all[] = {PTHREAD_MUTEX_TIMED_NP, PTHREAD_MUTEX_RECURSIVE_NP, PTHREAD_MUTEX_ERRORCHECK_NP,
	                          PTHREAD_MUTEX_ADAPTIVE_NP};
	int failed = pthread_mutexattr_init(&attributes);
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		failed += pthread_mutexattr_settype(&attributes, all[i]);
	failed += pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_STALLED_NP);
	return failed + pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST_NP);
}

static int stack(void)
{
	pthread_attr_t attributes;
	return pthread_attr_init(&attributes) + pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
}

/* After the uses above, so that it cannot have helped. */
#include <stdio.h>

int main(void)
{
	printf("%d %d %d\n", pipe + access + dup + sigaction + killpg + link.pause, kill(7), raise(8));
	printf("types: %d, stack: %d\n", types(), stack());
	return 0;
}
