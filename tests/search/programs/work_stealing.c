/* SPDX-License-Identifier: MIT */
/* Bug: a work-stealing queue. The owner takes items at the bottom, a thief at the top. For the last item the owner has
 * to compete with the thief, but it takes the item without moving the top.
 * Bites: "item 0 was taken 2 times", status 1. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

#define ITEMS 4

static _Atomic long top, bottom;
static int items[ITEMS];
static _Atomic int taken[ITEMS];

static int take(void)
{
	const long last = bottom - 1;
	bottom = last;
	long first = top;
	if (first < last)
		return items[last];
	int item = first == last ? items[last] : -1;
	if (FIXED && item >= 0 && !atomic_compare_exchange_strong(&top, &first, first + 1))
		item = -1;
	bottom = last + 1;
	if (!FIXED && item >= 0)
		top = last + 1;
	return item;
}

static int steal(void)
{
	long first = top;
	if (first >= bottom)
		return -1;
	const int item = items[first];
	return atomic_compare_exchange_strong(&top, &first, first + 1) ? item : -1;
}

static void *own(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		const int item = take();
		if (item >= 0)
			taken[item]++;
	}
	return unused;
}

static void *rob(void *unused)
{
	for (int i = 0; i < ITEMS / 2; i++) {
		const int item = steal();
		if (item >= 0)
			taken[item]++;
	}
	return unused;
}

int main(void)
{
	pthread_t owner, thief;
	for (int i = 0; i < ITEMS; i++)
		items[i] = i;
	bottom = ITEMS;
	pthread_create(&owner, NULL, own, NULL);
	pthread_create(&thief, NULL, rob, NULL);
	pthread_join(owner, NULL);
	pthread_join(thief, NULL);
	for (int i = 0; i < ITEMS; i++)
		if (taken[i] > 1) {
			printf("item %d was taken %d times\n", i, taken[i]);
			return 1;
		}
	return 0;
}
