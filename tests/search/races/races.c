/* SPDX-License-Identifier: MIT */
/* Two threads that increment a word in memory from different allocators, and end. With `slow` they hardly overlap, and
 * with `locks` each has a lock of its own. */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static int *words, global[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int is_slow, is_locked;

static void *add(void *argument)
{
	pthread_mutex_t *lock = argument;
	if (is_locked)
		pthread_mutex_lock(lock);
	words[1]++;
	if (is_locked)
		pthread_mutex_unlock(lock);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	const char *where = argc > 1 ? argv[1] : "";
	if (!strcmp(where, "malloc"))
		words = memset(malloc(16), 0, 16);
	else if (!strcmp(where, "calloc") || !strcmp(where, "slow") || !strcmp(where, "locks"))
		words = calloc(4, sizeof(*words));
	else if (!strcmp(where, "realloc"))
		words = memset(realloc(malloc(16), 100000), 0, 16);
	else if (!strcmp(where, "mmap"))
		words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	else
		words = global;
	is_slow = !strcmp(where, "slow");
	is_locked = !strcmp(where, "locks");
	pthread_create(&a, NULL, add, &mutex);
	if (is_slow)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	pthread_create(&b, NULL, add, &other);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return words[1] != 2;
}
