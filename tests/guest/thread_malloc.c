/* SPDX-License-Identifier: MIT */
/* Allocation by many threads at once: blocks hold what was written, also those that another thread frees. */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

#include "say.h"

#define THREADS 8
#define STEPS 4000
#define SLOTS 64

struct block {
	size_t bytes;
	unsigned char pattern;
	unsigned char data[];
};

static struct block *handed_on[THREADS]; /* from each thread to the next */

static struct block *make(unsigned *seed, unsigned char pattern)
{
	size_t bytes = (size_t)rand_r(seed) % (rand_r(seed) % 20 ? 300 : 20000);
	struct block *block = malloc(sizeof(*block) + bytes);
	if (!block)
		abort();
	block->bytes = bytes;
	block->pattern = pattern;
	memset(block->data, pattern, bytes);
	return block;
}

static int check_and_free(struct block *block)
{
	int good = 1;
	if (!block)
		return 1;
	for (size_t i = 0; i < block->bytes; i++)
		good &= block->data[i] == block->pattern;
	free(block);
	return good;
}

static void *work(void *number)
{
	int self = (int)(intptr_t)number, good = 1;
	unsigned seed = (unsigned)self + 1;
	struct block *slots[SLOTS] = {NULL};
	for (int i = 0; i < STEPS; i++) {
		int slot = rand_r(&seed) % SLOTS;
		good &= check_and_free(slots[slot]);
		slots[slot] = make(&seed, (unsigned char)(self * 16 + i % 16));
		if (i % 50 == 0) {
			struct block *taken = __atomic_exchange_n(&handed_on[self], NULL, __ATOMIC_ACQ_REL);
			good &= check_and_free(taken);
			taken = __atomic_exchange_n(&handed_on[(self + 1) % THREADS], make(&seed, 200),
			                            __ATOMIC_ACQ_REL);
			good &= check_and_free(taken);
		}
		if (i % 100 == 0)
			sched_yield();
	}
	for (int i = 0; i < SLOTS; i++)
		good &= check_and_free(slots[i]);
	return (void *)(intptr_t)good;
}

int main(void)
{
	pthread_t threads[THREADS];
	void *result;
	int good = 0;
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &result);
		good += result != NULL;
	}
	for (int i = 0; i < THREADS; i++)
		good += check_and_free(handed_on[i]);
	printf("good %d of %d\n", good, 2 * THREADS);
	return 0;
}
