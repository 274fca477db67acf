/* SPDX-License-Identifier: MIT */
/* Bug: Treiber's stack as a list of free buffers, with ABA. get reads the head and what follows it. If the head is
 * taken, the next one too, and the head is put back meanwhile, the exchange succeeds and hands out a buffer in use.
 * Bites: "buffer 2 has 2 owners", status 1. Fixed by a number beside the head that each change increments. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

#define BUFFERS 3 /* numbers from 1 */

static _Atomic uint64_t head;
static _Atomic uint32_t below[BUFFERS + 1];
static _Atomic int owners[BUFFERS + 1];
static _Atomic uint32_t wrong;

static uint64_t changed(uint64_t before, uint32_t to)
{
	return FIXED ? ((before >> 32) + 1) << 32 | to : to;
}

static uint32_t get(void)
{
	uint64_t before = head;
	uint32_t buffer;
	do {
		buffer = (uint32_t)before;
		if (!buffer)
			return 0;
	} while (!atomic_compare_exchange_strong(&head, &before, changed(before, below[buffer])));
	if (owners[buffer]++)
		wrong = buffer;
	return buffer;
}

static void put(uint32_t buffer)
{
	uint64_t before = head;
	if (!buffer)
		return;
	owners[buffer]--;
	do
		below[buffer] = (uint32_t)before;
	while (!atomic_compare_exchange_strong(&head, &before, changed(before, buffer)));
}

/* Needs one buffer, then another. */
static void *one_by_one(void *unused)
{
	put(get());
	get();
	return unused;
}

/* Needs two at once, and returns the first. */
static void *two(void *unused)
{
	const uint32_t first = get();
	get();
	put(first);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (uint32_t i = BUFFERS; i > 0; i--) {
		owners[i] = 1;
		put(i);
	}
	pthread_create(&threads[0], NULL, one_by_one, NULL);
	pthread_create(&threads[1], NULL, two, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	get(); /* the third: if the list is right, it is free */
	if (!wrong)
		return 0;
	printf("buffer %u has 2 owners\n", wrong);
	return 1;
}
