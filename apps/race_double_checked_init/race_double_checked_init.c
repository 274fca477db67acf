/* SPDX-License-Identifier: MIT */
/* Bug: double-checked initialisation that publishes the object before it is filled in. Who asks first without the lock
 * may get it empty.
 * Bites: "used before it was ready", status 1. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

struct table {
	int size;
};

static struct table table;
static _Atomic(struct table *) instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int empty;

static struct table *get(void)
{
	if (!atomic_load(&instance)) {
		pthread_mutex_lock(&lock);
		if (!atomic_load(&instance)) {
			if (FIXED)
				table.size = 16;
			atomic_store(&instance, &table);
			table.size = 16;
		}
		pthread_mutex_unlock(&lock);
	}
	return atomic_load(&instance);
}

static void *use(void *unused)
{
	if (get()->size == 0)
		atomic_fetch_add(&empty, 1);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, use, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (empty == 0)
		return 0;
	printf("used before it was ready\n");
	return 1;
}
