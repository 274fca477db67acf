/* SPDX-License-Identifier: MIT */
/* Bug: readers and writers by hand. A reader looks whether somebody writes, and counts itself among the readers after
 * it has released the lock. A writer that comes between the two does not see it.
 * Bites: "a reader saw 1 and 0", status 1. Fixed: the reader counts itself while it holds the lock. */
#include <pthread.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

#define READERS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing;
static volatile int left, right; /* equal, unless somebody writes */
static int seen_left, seen_right;

static void begin_read(void)
{
	pthread_mutex_lock(&lock);
	while (writing)
		pthread_cond_wait(&changed, &lock);
	if (FIXED)
		readers++;
	pthread_mutex_unlock(&lock);
	if (!FIXED) {
		pthread_mutex_lock(&lock);
		readers++;
		pthread_mutex_unlock(&lock);
	}
}

static void end_read(void)
{
	pthread_mutex_lock(&lock);
	readers--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void set_writing(int value)
{
	pthread_mutex_lock(&lock);
	while (value && (readers || writing))
		pthread_cond_wait(&changed, &lock);
	writing = value;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void *read_both(void *unused)
{
	begin_read();
	const int l = left, r = right;
	if (l != r) {
		seen_left = l;
		seen_right = r;
	}
	end_read();
	return unused;
}

static void *write_both(void *unused)
{
	set_writing(1);
	left++;
	right++;
	set_writing(0);
	return unused;
}

int main(void)
{
	pthread_t threads[READERS + 1];
	for (int i = 0; i < READERS; i++)
		pthread_create(&threads[i], NULL, read_both, NULL);
	pthread_create(&threads[READERS], NULL, write_both, NULL);
	for (int i = 0; i <= READERS; i++)
		pthread_join(threads[i], NULL);
	if (seen_left == seen_right)
		return 0;
	printf("a reader saw %d and %d\n", seen_left, seen_right);
	return 1;
}
