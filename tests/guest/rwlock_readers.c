/* SPDX-License-Identifier: MIT */
/* Readers and writers at once: no writer with anybody else; readers together, even behind a waiting writer unless the
 * lock prefers writers. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include "sync.h"

#define THREADS 9
#define ROUNDS 150

static pthread_rwlock_t plain = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t fair = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_rwlock_t *lock;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static int reading, writing, value, copy, written;
static pthread_barrier_t together;

static void change(int *count, int by)
{
	pthread_mutex_lock(&counting);
	*count += by;
	pthread_mutex_unlock(&counting);
}

static void read_once(void)
{
	MUST(pthread_rwlock_rdlock(lock) == 0);
	change(&reading, 1);
	MUST(writing == 0);
	int before = value;
	sched_yield();
	MUST(value == before);
	MUST(copy == before);
	change(&reading, -1);
	MUST(pthread_rwlock_unlock(lock) == 0);
}

static void write_once(void)
{
	MUST(pthread_rwlock_wrlock(lock) == 0);
	MUST(++writing == 1);
	MUST(reading == 0);
	value++;
	sched_yield();
	copy++;
	written++;
	writing--;
	MUST(pthread_rwlock_unlock(lock) == 0);
}

static void *work(void *number)
{
	for (int i = 0; i < ROUNDS; i++)
		if ((i + (long)number) % 4)
			read_once();
		else
			write_once();
	return NULL;
}

static void check(pthread_rwlock_t *which)
{
	lock = which;
	written = value = copy = 0;
	in_threads(THREADS, work);
	printf("written %d times, value %d\n", written, value);
}

/* All readers get in at the same time, or nobody gets through the barrier. */
static void *read_together(void *unused)
{
	MUST(pthread_rwlock_rdlock(lock) == 0);
	pthread_barrier_wait(&together);
	MUST(pthread_rwlock_unlock(lock) == 0);
	return unused;
}

static void *write_later(void *unused)
{
	MUST(pthread_rwlock_wrlock(lock) == 0);
	written++;
	MUST(pthread_rwlock_unlock(lock) == 0);
	return unused;
}

/* The main thread reads, so that the writer waits; a reader gets in nevertheless, or does not. */
static void check_preference(pthread_rwlock_t *which, const char *name)
{
	struct timespec soon;
	pthread_t writer;
	int error;
	lock = which;
	written = 0;
	MUST(pthread_rwlock_rdlock(lock) == 0);
	start(&writer, write_later, NULL);
	do { /* a lock that prefers writers takes no reader once the writer waits */
		soon = after_ms(CLOCK_MONOTONIC, 2);
		error = pthread_rwlock_clockrdlock(lock, CLOCK_MONOTONIC, &soon);
		if (!error)
			pthread_rwlock_unlock(lock);
		sched_yield();
	} while (which == &fair && !error);
	say_error(name, error);
	MUST(written == 0);
	MUST(pthread_rwlock_unlock(lock) == 0);
	pthread_join(writer, NULL);
	printf("written %d times\n", written);
}

/* A writer that gives up lets the readers in that waited for it. */
static void *give_up(void *unused)
{
	struct timespec soon = after_ms(CLOCK_REALTIME, 5);
	SAY_ERROR(pthread_rwlock_timedwrlock(lock, &soon));
	return unused;
}

static void check_giving_up(void)
{
	pthread_t writer, readers[3];
	lock = &fair;
	pthread_barrier_init(&together, NULL, 3);
	MUST(pthread_rwlock_rdlock(lock) == 0);
	start(&writer, give_up, NULL);
	for (int i = 0; i < 3; i++)
		start(&readers[i], read_together, NULL);
	pthread_join(writer, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(readers[i], NULL);
	MUST(pthread_rwlock_unlock(lock) == 0);
	pthread_barrier_destroy(&together);
}

int main(void)
{
	check(&plain);
	check(&fair);
	lock = &plain;
	pthread_barrier_init(&together, NULL, THREADS);
	in_threads(THREADS, read_together);
	pthread_barrier_destroy(&together);
	check_preference(&plain, "behind a writer, plain");
	check_preference(&fair, "behind a writer, writers preferred");
	check_giving_up();
	SAY_ERROR(pthread_rwlock_destroy(&plain));
	SAY_ERROR(pthread_rwlock_destroy(&fair));
	return 0;
}
