/* SPDX-License-Identifier: MIT */
/* Bug: a queue whose owner adds and takes items at the tail without a lock, while a thief takes them at the head under
 * one. The thief moves the head before it reads the item, so the owner must always leave one place free, but it fills
 * the last one: the thief then gets a newer item, which is taken twice. The thief has to be held up while the owner
 * takes one item and adds two.
 * Bites: "item 3 was taken 2 times", status 1. After the program WSQ of SCTBench (Thomson et al., 2014), and the THE
 * protocol of Cilk-5 (Frigo et al., PLDI 1998). */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

#define ITEMS 4
#define ATTEMPTS 2
#define SIZE 8 /* never full; a power of two */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic long head, tail, size = 2; /* places in use, from 0 on; a power of two */
static int *places[SIZE];
static int items[ITEMS];

static bool steal(int **item)
{
	pthread_mutex_lock(&lock);
	const long first = head;
	head = first + 1;
	const bool found = first < tail;
	if (found)
		*item = places[first % size];
	else
		head = first;
	pthread_mutex_unlock(&lock);
	return found;
}

/* The last item may be the thief's: the lock decides. */
static bool take_last(int **item)
{
	pthread_mutex_lock(&lock);
	const long last = tail - 1;
	const bool found = head <= last;
	if (found) {
		tail = last;
		*item = places[last % size];
	} else {
		head = 0;
		tail = 0;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

static bool take(int **item)
{
	const long last = tail - 1;
	tail = last;
	if (head <= last) {
		*item = places[last % size];
		return true;
	}
	tail = last + 1;
	return take_last(item);
}

/* Moves the items to the beginning and uses more places. */
static void grow(void)
{
	int *moved[SIZE];
	pthread_mutex_lock(&lock);
	const long count = tail - head;
	for (long i = 0; i < count; i++)
		moved[i] = places[(head + i) % size];
	for (long i = 0; i < count; i++)
		places[i] = moved[i];
	head = 0;
	tail = count;
	if (size < SIZE)
		size = 2 * size;
	pthread_mutex_unlock(&lock);
}

static void add(int *item)
{
	if (tail - head >= size - FIXED)
		grow();
	places[tail % size] = item;
	tail = tail + 1;
}

static void *rob(void *unused)
{
	int *item;
	for (int i = 0; i < ATTEMPTS; i++)
		if (steal(&item))
			++*item;
	return unused;
}

int main(void)
{
	pthread_t thief;
	int *item;
	pthread_create(&thief, NULL, rob, NULL);
	for (int i = 0; i < ITEMS; i++) {
		add(&items[i]);
		if (i % 2 && take(&item))
			++*item;
	}
	while (take(&item))
		++*item;
	pthread_join(thief, NULL);
	for (int i = 0; i < ITEMS; i++)
		if (items[i] != 1) {
			printf("item %d was taken %d times\n", i, items[i]);
			return 1;
		}
	return 0;
}
