/* SPDX-License-Identifier: MIT */
/* Producers and consumers with semaphores, and one that counts how many are inside. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include "sync.h"

#define PRODUCERS 3
#define CONSUMERS 3
#define EACH 200
#define PLACES 4
#define SEATS 2

static sem_t places, items, binary, seats;
static int buffer[PLACES], in, out, seen[PRODUCERS * EACH], seated, most;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void down(sem_t *sem)
{
	while (sem_wait(sem))
		MUST(errno == EINTR);
}

static void *work(void *argument)
{
	long number = (long)argument;
	for (int i = 0; i < EACH; i++) {
		down(number < PRODUCERS ? &places : &items);
		down(&binary);
		if (number < PRODUCERS)
			buffer[in++ % PLACES] = (int)number * EACH + i;
		else
			seen[buffer[out++ % PLACES]]++;
		MUST(sem_post(&binary) == 0);
		MUST(sem_post(number < PRODUCERS ? &items : &places) == 0);
	}
	return NULL;
}

static void *sit(void *unused)
{
	for (int i = 0; i < 50; i++) {
		down(&seats);
		pthread_mutex_lock(&mutex);
		if (++seated > most)
			most = seated;
		MUST(seated <= SEATS);
		pthread_mutex_unlock(&mutex);
		sched_yield();
		pthread_mutex_lock(&mutex);
		seated--;
		pthread_mutex_unlock(&mutex);
		MUST(sem_post(&seats) == 0);
	}
	return unused;
}

int main(void)
{
	int once = 0, value;
	sem_init(&places, 0, PLACES);
	sem_init(&items, 0, 0);
	sem_init(&binary, 0, 1);
	sem_init(&seats, 0, SEATS);
	in_threads(PRODUCERS + CONSUMERS, work);
	for (int i = 0; i < PRODUCERS * EACH; i++)
		once += seen[i] == 1;
	printf("%d of %d came once\n", once, PRODUCERS * EACH);
	in_threads(8, sit);
	SAY_TRUE(most >= 1);
	SAY(sem_getvalue(&seats, &value));
	printf("%d seats\n", value);
	SAY(sem_getvalue(&items, &value));
	printf("%d items\n", value);
	return 0;
}
