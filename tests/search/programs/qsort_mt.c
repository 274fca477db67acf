/* SPDX-License-Identifier: MIT */
/* Bug: quick sort by several threads. A thread that has divided a range sorts one half and leaves the other to a
 * worker. It returns when no worker is busy, but a worker counts as busy only some time after it has taken a range: a
 * wait is missing. Bites: "not sorted", status 1. Fixed: a worker becomes busy while it holds the lock that it takes
 * the range with. */
#include <pthread.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

#define NUMBERS 24
#define SMALL 6
#define WORKERS 2
#define RANGES 32

static int numbers[NUMBERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct range {
	int from, to;
} waiting[RANGES];
static int waiting_count, busy, is_over;

static void put(int from, int to)
{
	pthread_mutex_lock(&lock);
	waiting[waiting_count++] = (struct range){from, to};
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void insertion_sort(int from, int to)
{
	for (int i = from + 1; i < to; i++) {
		const int number = numbers[i];
		int at = i;
		for (; at > from && numbers[at - 1] > number; at--)
			numbers[at] = numbers[at - 1];
		numbers[at] = number;
	}
}

/* Moves smaller numbers than the last to the front. Returns where the last one belongs, and puts it there. */
static int divide(int from, int to)
{
	const int pivot = numbers[to - 1];
	int middle = from;
	for (int i = from; i < to; i++)
		if (numbers[i] < pivot || i == to - 1) {
			const int number = numbers[i];
			numbers[i] = numbers[middle];
			numbers[middle++] = number;
		}
	return middle - 1;
}

static void sort(int from, int to)
{
	while (to - from > SMALL) {
		const int middle = divide(from, to);
		put(middle + 1, to);
		to = middle;
	}
	insertion_sort(from, to);
}

static void set_busy(int by)
{
	busy += by;
	pthread_cond_broadcast(&changed);
}

static void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		while (!waiting_count && !is_over)
			pthread_cond_wait(&changed, &lock);
		if (!waiting_count)
			break;
		const struct range range = waiting[--waiting_count];
		if (!FIXED) {
			pthread_mutex_unlock(&lock);
			pthread_mutex_lock(&lock);
		}
		set_busy(1);
		pthread_mutex_unlock(&lock);
		sort(range.from, range.to);
		pthread_mutex_lock(&lock);
		set_busy(-1);
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t workers[WORKERS];
	unsigned state = 1;
	int is_sorted = 1;
	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = (int)((state = state * 1103515245 + 12345) >> 16 & 0xff);
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, work, NULL);
	sort(0, NUMBERS);
	pthread_mutex_lock(&lock);
	while (waiting_count || busy)
		pthread_cond_wait(&changed, &lock);
	for (int i = 1; i < NUMBERS; i++)
		is_sorted = is_sorted && numbers[i - 1] <= numbers[i];
	is_over = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	if (!is_sorted)
		puts("not sorted");
	return !is_sorted;
}
