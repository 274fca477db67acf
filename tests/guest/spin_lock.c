/* SPDX-License-Identifier: MIT */
/* Spin locks: they exclude, also when the holder gives way inside. */
#include <pthread.h>
#include <sched.h>

#include "sync.h"

#define THREADS 5
#define ROUNDS 100

static pthread_spinlock_t lock;
static int inside, count, tried;

static void *enter(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (i % 2 == 0)
			MUST(pthread_spin_lock(&lock) == 0);
		else
			while (pthread_spin_trylock(&lock))
				sched_yield();
		MUST(++inside == 1);
		count++;
		if ((i + (long)number) % 9 == 0)
			sched_yield();
		inside--;
		MUST(pthread_spin_unlock(&lock) == 0);
	}
	return NULL;
}

static void *try_it(void *unused)
{
	tried = pthread_spin_trylock(&lock);
	if (!tried)
		pthread_spin_unlock(&lock);
	return unused;
}

int main(void)
{
	SAY_ERROR(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE));
	SAY_ERROR(pthread_spin_lock(&lock));
	SAY_ERROR(pthread_spin_trylock(&lock));
	in_thread(try_it, NULL);
	say_error("in another thread", tried);
	SAY_ERROR(pthread_spin_unlock(&lock));
	in_thread(try_it, NULL);
	say_error("in another thread", tried);
	SAY_ERROR(pthread_spin_trylock(&lock));
	SAY_ERROR(pthread_spin_unlock(&lock));
	in_threads(THREADS, enter);
	printf("entered %d times\n", count);
	SAY_ERROR(pthread_spin_destroy(&lock));
	SAY_ERROR(pthread_spin_init(&lock, PTHREAD_PROCESS_SHARED));
	SAY_ERROR(pthread_spin_destroy(&lock));
	return 0;
}
