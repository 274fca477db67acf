/* SPDX-License-Identifier: MIT */
/* Uses everything that a try in a guest has to find as it was, and fails if it is not: variables, heap, mappings,
 * files, pipes, sockets, signals, timers, floating point, threads that live at the marker "start", and the clock. What
 * it prints depends on the schedule. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifdef __EREMITE__
#include <eremite.h>
#else
#include "libc-port/include/eremite.h"
#endif

#define BEFORE_BYTES (3 << 20)
#define LARGE_BYTES (6 << 20)

static int counter = 1;
static char *before;
static int pipe_ends[2], pair[2];
static volatile sig_atomic_t signals;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int may_go;
static char order[256];
static _Thread_local int own = 5;

static void handle(int sig)
{
	(void)sig;
	signals++;
}

static void note(char name)
{
	pthread_mutex_lock(&lock);
	strncat(order, &name, 1);
	pthread_mutex_unlock(&lock);
}

/* Lives at the marker. */
static void *wait_for_start(void *name)
{
	double third = 1.0 / *(volatile double *)&(double){3};
	own += 2;
	pthread_mutex_lock(&lock);
	while (!may_go)
		pthread_cond_wait(&change, &lock);
	pthread_mutex_unlock(&lock);
	assert(own == 7 && third == 1.0 / 3);
	for (int i = 0; i < 3; i++)
		note(*(char *)name);
	return NULL;
}

static void *work(void *name)
{
	assert(own == 5);
	own = 9;
	for (int i = 0; i < 4; i++) {
		note(*(char *)name);
		char *memory = malloc(10000);
		memset(memory, 1, 10000);
		sched_yield();
		free(memory);
	}
	return NULL;
}

static void check_memory(void)
{
	for (int i = 0; i < BEFORE_BYTES; i += 4096)
		assert(before[i] == (char)(i >> 12));
	memset(before, 0xee, BEFORE_BYTES);
	char *large = malloc(LARGE_BYTES);
	for (int i = 0; i < LARGE_BYTES; i += 4096)
		large[i] = 1;
	char *mapped = mmap(NULL, LARGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(mapped != MAP_FAILED);
	for (int i = 0; i < LARGE_BYTES; i += 4096) {
		assert(mapped[i] == 0);
		mapped[i] = 1;
	}
	assert(!mprotect(mapped, 65536, PROT_READ));
	assert(!munmap(mapped + 65536, 65536));
	free(large);
	assert(counter++ == 1);
}

static void check_files(void)
{
	char text[16];
	int fd = open("/tmp/new", O_RDWR | O_CREAT | O_EXCL, 0600);
	assert(fd >= 0);
	assert(write(fd, "something", 9) == 9);
	fd = open("/tmp/old", O_RDWR | O_APPEND);
	assert(read(fd, text, sizeof(text)) == 3 && !memcmp(text, "old", 3));
	assert(write(fd, "more", 4) == 4);
	assert(read(pipe_ends[0], text, sizeof(text)) == 4 && !memcmp(text, "pipe", 4));
	assert(read(pair[0], text, sizeof(text)) == 4 && !memcmp(text, "pair", 4));
	close(pipe_ends[0]);
}

static void check_signals(void)
{
	struct timespec moment = {.tv_nsec = 20000000};
	assert(signals == 1);
	raise(SIGUSR1);
	assert(signals == 2);
	while (signals < 3) /* the timer, set before the marker */
		nanosleep(&moment, NULL);
	signal(SIGUSR1, SIG_DFL);
}

static void prepare(void)
{
	timer_t timer;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	struct itimerspec soon = {.it_value = {.tv_nsec = 50000000}};
	before = malloc(BEFORE_BYTES);
	for (int i = 0; i < BEFORE_BYTES; i += 4096)
		before[i] = (char)(i >> 12);
	int fd = open("/tmp/old", O_WRONLY | O_CREAT, 0600);
	assert(write(fd, "old", 3) == 3);
	close(fd);
	assert(!pipe(pipe_ends) && write(pipe_ends[1], "pipe", 4) == 4);
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair) && write(pair[1], "pair", 4) == 4);
	signal(SIGUSR1, handle);
	raise(SIGUSR1);
	assert(!timer_create(CLOCK_MONOTONIC, &event, &timer) && !timer_settime(timer, 0, &soon, NULL));
	fesetround(FE_UPWARD);
}

int main(void)
{
	static char names[] = "wabc";
	pthread_t waits, workers[3];
	struct timespec now;
	prepare();
	pthread_create(&waits, NULL, wait_for_start, &names[0]);
	sched_yield();
	puts("before");
	eremite_marker("start");
	assert(fegetround() == FE_UPWARD);
	fesetround(FE_TONEAREST);
	for (int i = 0; i < 3; i++)
		pthread_create(&workers[i], NULL, work, &names[1 + i]);
	check_memory();
	pthread_mutex_lock(&lock);
	may_go = 1;
	pthread_cond_broadcast(&change);
	pthread_mutex_unlock(&lock);
	check_files();
	for (int i = 0; i < 3; i++)
		pthread_join(workers[i], NULL);
	check_signals();
	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%s %ld.%09ld\n", order, (long)now.tv_sec, now.tv_nsec);
	fprintf(stderr, "%s\n", order);
	return order[0] == 'c' ? 3 : order[1] == 'c' ? kill(getpid(), SIGTERM) : 0;
}
