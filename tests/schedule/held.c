/* SPDX-License-Identifier: MIT */
/* A lock that is taken most of the time: held KIND HOW N. One thread sets under it what the first one looks at under
 * it, in a loop; that one has the lock for N rounds of a loop ("busy"), or a sleep ("sleep"), or yields with it
 * ("yield"). held deadlines N: the first thread computes, while N others wait for what never comes, with deadlines, in
 * a loop. */
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 16

static atomic_int told;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin_lock;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static pthread_cond_t freed = PTHREAD_COND_INITIALIZER;
static bool taken;
static int token[2];
static __thread int file;

static void take_mutex(void)
{
	pthread_mutex_lock(&lock);
}

static void free_mutex(void)
{
	pthread_mutex_unlock(&lock);
}

static void take_spinlock(void)
{
	pthread_spin_lock(&spin_lock);
}

static void free_spinlock(void)
{
	pthread_spin_unlock(&spin_lock);
}

static void take_stream(void)
{
	flockfile(stdout);
}

static void free_stream(void)
{
	funlockfile(stdout);
}

static void take_rwlock(void)
{
	pthread_rwlock_wrlock(&rwlock);
}

static void free_rwlock(void)
{
	pthread_rwlock_unlock(&rwlock);
}

static void take_semaphore(void)
{
	sem_wait(&semaphore);
}

static void free_semaphore(void)
{
	sem_post(&semaphore);
}

static void take_condition(void)
{
	pthread_mutex_lock(&lock);
	while (taken)
		pthread_cond_wait(&freed, &lock);
	taken = true;
	pthread_mutex_unlock(&lock);
}

static void free_condition(void)
{
	pthread_mutex_lock(&lock);
	taken = false;
	pthread_cond_signal(&freed);
	pthread_mutex_unlock(&lock);
}

static void take_flock(void)
{
	if (!file)
		file = open("/tmp/lock", O_CREAT | O_RDWR, 0600);
	if (flock(file, LOCK_EX))
		abort();
}

static void free_flock(void)
{
	flock(file, LOCK_UN);
}

static void take_token(void)
{
	char byte;
	if (read(token[0], &byte, 1) != 1)
		abort();
}

static void free_token(void)
{
	if (write(token[1], "t", 1) != 1)
		abort();
}

static const struct kind {
	const char *name;
	void (*take)(void), (*free)(void);
} kinds[] = {
	{"mutex", take_mutex, free_mutex},
	{"spinlock", take_spinlock, free_spinlock},
	{"stream", take_stream, free_stream},
	{"rwlock", take_rwlock, free_rwlock},
	{"semaphore", take_semaphore, free_semaphore},
	{"condition", take_condition, free_condition},
	{"flock", take_flock, free_flock},
	{"pipe", take_token, free_token},
};
static const struct kind *kind = kinds;

static bool make_lock(const char *name)
{
	while (strcmp(kind->name, name))
		if (++kind == kinds + sizeof(kinds) / sizeof(kinds[0]))
			return false;
	pthread_spin_init(&spin_lock, 0);
	sem_init(&semaphore, 0, 1);
	if (pipe(token))
		return false;
	free_token();
	return true;
}

static void *tell(void *unused)
{
	kind->take();
	told = 1;
	kind->free();
	return unused;
}

static void look(const char *with, int rounds)
{
	static const struct timespec brief = {.tv_nsec = 5000};
	pthread_t setter;
	int seen;
	pthread_create(&setter, NULL, tell, NULL);
	do {
		kind->take();
		seen = told;
		for (volatile int i = 0; i < rounds; i++)
			;
		if (!strcmp(with, "sleep"))
			nanosleep(&brief, NULL);
		else if (!strcmp(with, "yield"))
			sched_yield();
		kind->free();
	} while (!seen);
	pthread_join(setter, NULL);
}

static unsigned never;

static void *wait_in_vain(void *unused)
{
	static const struct timespec brief = {.tv_nsec = 100};
	while (!told)
		syscall(SYS_futex, &never, FUTEX_WAIT, 0, &brief, NULL, 0);
	return unused;
}

static void compute(int count)
{
	static const struct timespec moment = {.tv_nsec = 1000};
	pthread_t started[THREADS_MAX];
	for (int i = 0; i < count; i++)
		pthread_create(&started[i], NULL, wait_in_vain, NULL);
	nanosleep(&moment, NULL);
	for (volatile int i = 0; i < 100000; i++)
		;
	told = 1;
	for (int i = 0; i < count; i++)
		pthread_join(started[i], NULL);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "deadlines") && atoi(argv[2]) <= THREADS_MAX)
		compute(atoi(argv[2]));
	else if (argc == 4 && make_lock(argv[1]))
		look(argv[2], atoi(argv[3]));
	else
		return 2;
	printf("%d\n", (int)told);
	return 0;
}
