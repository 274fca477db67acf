/* SPDX-License-Identifier: MIT */
/* A thread that wakes another may be overtaken before its next decision point: woken WAY ends with status 1 if it was.
 * After the call that wakes, the program only reads a variable. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static int ends[2];
static volatile int begun, flag;

static void settle(void)
{
	const struct timespec second = {2, 0}; /* longer than any jump: the other thread waits then */
	nanosleep(&second, NULL);
}

static void *in_mutex(void *unused)
{
	pthread_mutex_lock(&mutex);
	flag = 1;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *in_condition(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!begun)
		pthread_cond_wait(&condition, &mutex);
	flag = 1;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *in_semaphore(void *unused)
{
	sem_wait(&semaphore);
	flag = 1;
	return unused;
}

static void *in_rwlock(void *unused)
{
	pthread_rwlock_wrlock(&rwlock);
	flag = 1;
	pthread_rwlock_unlock(&rwlock);
	return unused;
}

static void *in_barrier(void *unused)
{
	pthread_barrier_wait(&barrier);
	flag = 1;
	return unused;
}

static void *in_read(void *unused)
{
	char byte;
	flag = read(ends[0], &byte, 1) == 1;
	return unused;
}

static void on_signal(int sig)
{
	(void)sig;
	flag = 1;
}

static void *in_signal(void *unused)
{
	pause();
	return unused;
}

static void *at_once(void *unused)
{
	flag = 1;
	return unused;
}

static pthread_t thread;

static void start(void *(*entry)(void *))
{
	pthread_create(&thread, NULL, entry, NULL);
	settle();
}

static int wake_by_lock(const char *way)
{
	int seen;
	if (!strcmp(way, "mutex")) {
		pthread_mutex_lock(&mutex);
		start(in_mutex);
		pthread_mutex_unlock(&mutex);
		seen = flag;
	} else if (!strcmp(way, "condition")) {
		start(in_condition);
		begun = 1;
		pthread_cond_signal(&condition);
		seen = flag;
	} else if (!strcmp(way, "semaphore")) {
		start(in_semaphore);
		sem_post(&semaphore);
		seen = flag;
	} else if (!strcmp(way, "rwlock")) {
		pthread_rwlock_wrlock(&rwlock);
		start(in_rwlock);
		pthread_rwlock_unlock(&rwlock);
		seen = flag;
	} else if (!strcmp(way, "barrier")) {
		start(in_barrier);
		pthread_barrier_wait(&barrier);
		seen = flag;
	} else {
		return -1;
	}
	return seen;
}

static int wake_otherwise(const char *way)
{
	int seen;
	if (!strcmp(way, "pipe")) {
		if (pipe(ends))
			return -1;
		start(in_read);
		if (write(ends[1], "x", 1) != 1)
			return -1;
		seen = flag;
	} else if (!strcmp(way, "socket")) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
			return -1;
		start(in_read);
		if (send(ends[1], "x", 1, 0) != 1)
			return -1;
		seen = flag;
	} else if (!strcmp(way, "signal")) {
		signal(SIGUSR1, on_signal);
		start(in_signal);
		pthread_kill(thread, SIGUSR1);
		seen = flag;
	} else if (!strcmp(way, "create")) {
		pthread_create(&thread, NULL, at_once, NULL);
		seen = flag;
	} else {
		return -1;
	}
	return seen;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	sem_init(&semaphore, 0, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	int seen = wake_by_lock(argv[1]);
	if (seen < 0)
		seen = wake_otherwise(argv[1]);
	if (seen < 0)
		return 2;
	pthread_join(thread, NULL);
	return seen;
}
