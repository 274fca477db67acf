/* SPDX-License-Identifier: MIT */
/* Bug: two threads take over one producer. The first thread waits in a loop of sched_yield. Under a policy of
 * priorities it yields hundreds of times before another thread runs, which the schedule has no lines for. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

struct producer {
	atomic_int count, inactive;
};

static struct producer producers[2] = {{.inactive = 1}};
static atomic_int ended;

static void *produce(void *own)
{
	struct producer *producer = own;
	if (producers[0].inactive) {
		producers[0].inactive = 0;
		producer = &producers[0];
	}
	for (int i = 0; i < 2; i++) {
		const int count = producer->count;
		producer->count = count + 1;
	}
	producer->inactive = 1;
	ended++;
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, produce, &producers[1]);
	while (ended < 2)
		sched_yield();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (producers[0].count + producers[1].count == 4)
		return 0;
	fprintf(stderr, "%d of 4\n", producers[0].count + producers[1].count);
	return 1;
}
