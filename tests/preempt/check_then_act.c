/* SPDX-License-Identifier: MIT */
/* Tickets, each of which two look for and take by an atomic operation of its own. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define TICKETS 50

static pthread_barrier_t opening;
static atomic_int tickets[TICKETS], sold_twice;

static void *buy(void *unused)
{
	pthread_barrier_wait(&opening);
	for (int i = 0; i < TICKETS; i++)
		if (atomic_load(&tickets[i]) == 0 && atomic_fetch_add(&tickets[i], 1) != 0)
			atomic_store_explicit(&sold_twice, 1, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_barrier_init(&opening, NULL, 2);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, buy, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (sold_twice)
		puts("sold twice");
	return sold_twice;
}
