/* SPDX-License-Identifier: MIT */
/* Keys: values of each thread, destructors and their rounds, keys that are deleted and used again, all keys. */
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "say.h"

static pthread_key_t key, other;
static int destroyed[100], rounds;

static void count(void *value)
{
	destroyed[(intptr_t)value]++;
}

static void *set_and_end(void *value)
{
	int before = pthread_getspecific(key) == NULL;
	pthread_setspecific(key, value);
	return (void *)(intptr_t)(before && pthread_getspecific(key) == value);
}

static void each_thread(void)
{
	pthread_t threads[20];
	void *result;
	int good = 0, once = 0;
	puts("each thread has its own");
	SAY_ERROR(pthread_key_create(&key, count));
	SAY_ERROR(pthread_setspecific(key, (void *)99));
	for (intptr_t i = 0; i < 20; i++)
		pthread_create(&threads[i], NULL, set_and_end, (void *)(i + 1));
	for (int i = 0; i < 20; i++) {
		pthread_join(threads[i], &result);
		good += result != NULL;
		once += destroyed[i + 1] == 1;
	}
	printf("good %d, destroyed once %d, of main %d\n", good, once, destroyed[99]);
	SAY_TRUE(pthread_getspecific(key) == (void *)99);
}

/* Sets another key's value, then its own again: destructors are called for what they set. */
static void set_again(void *value)
{
	rounds++;
	pthread_setspecific(other, value);
}

static void again(void *value)
{
	rounds++;
	pthread_setspecific(other, value);
}

static void *set_key(void *value)
{
	pthread_setspecific(key, value);
	return NULL;
}

static void in_rounds(void)
{
	pthread_t thread;
	puts("rounds");
	SAY_ERROR(pthread_key_delete(key));
	SAY_ERROR(pthread_key_create(&key, set_again));
	SAY_ERROR(pthread_key_create(&other, again));
	pthread_create(&thread, NULL, set_key, &rounds);
	pthread_join(thread, NULL);
	SAY_TRUE(rounds >= PTHREAD_DESTRUCTOR_ITERATIONS && rounds < 100);
	SAY_ERROR(pthread_key_delete(other));
	SAY_ERROR(pthread_key_delete(key));
}

static void deleted(void)
{
	pthread_t thread;
	puts("a key that is deleted, and made again");
	SAY_ERROR(pthread_key_create(&key, count));
	pthread_setspecific(key, (void *)50);
	SAY_ERROR(pthread_key_delete(key));
	SAY_ERROR(pthread_key_delete(key));
	SAY_ERROR(pthread_setspecific(key, (void *)50));
	SAY_ERROR(pthread_key_create(&key, count));
	SAY_TRUE(pthread_getspecific(key) == NULL);
	pthread_create(&thread, NULL, set_key, (void *)51);
	pthread_join(thread, NULL);
	printf("destroyed %d %d\n", destroyed[50], destroyed[51]);
	SAY_ERROR(pthread_key_delete(key));
	SAY_ERROR(pthread_setspecific((pthread_key_t)-1, NULL));
	SAY_ERROR(pthread_key_delete((pthread_key_t)-1));
}

static pthread_key_t all[PTHREAD_KEYS_MAX];
static int total;

static void *set_all(void *unused)
{
	long good = 0;
	(void)unused;
	for (int i = 0; i < total; i++)
		good += pthread_setspecific(all[i], &all[i]) == 0;
	for (int i = 0; i < total; i++)
		good += pthread_getspecific(all[i]) == &all[i];
	return (void *)good;
}

static void all_keys(void)
{
	pthread_t thread;
	void *result;
	int error = 0;
	puts("all keys");
	while (total < PTHREAD_KEYS_MAX && !(error = pthread_key_create(&all[total], NULL)))
		total++;
	SAY_TRUE(total >= 1000);
	SAY_ERROR(pthread_key_create(&key, NULL));
	pthread_create(&thread, NULL, set_all, NULL);
	pthread_join(thread, &result);
	SAY_TRUE((long)result == 2L * total);
	for (int i = 0; i < total; i++)
		pthread_key_delete(all[i]);
}

static __thread int counter = 5;
static __thread char zeros[1000];

static void *use_tls(void *unused)
{
	(void)unused;
	int fine = counter == 5;
	for (unsigned i = 0; i < sizeof(zeros); i++)
		fine = fine && zeros[i] == 0;
	counter = 77;
	memset(zeros, 1, sizeof(zeros));
	return (void *)(intptr_t)fine;
}

static void thread_local_storage(void)
{
	pthread_t thread;
	void *result;
	int good = 0;
	puts("__thread");
	counter = 6;
	for (int i = 0; i < 10; i++) {
		pthread_create(&thread, NULL, use_tls, NULL);
		pthread_join(thread, &result);
		good += result != NULL;
	}
	printf("fresh %d, main's %d\n", good, counter);
}

int main(void)
{
	each_thread();
	in_rounds();
	deleted();
	all_keys();
	thread_local_storage();
	return 0;
}
