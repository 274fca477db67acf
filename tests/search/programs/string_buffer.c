/* SPDX-License-Identifier: MIT */
/* Bug: a string buffer whose functions each lock it. append reads the length of the other buffer, then copies as many
 * bytes; if another thread shortens it between the two, the copy goes beyond its end. JDK 1.4's StringBuffer did this.
 * Bites: "copied 6 of 0 bytes", status 1. Fixed: the other buffer stays locked from the length to the copy. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifndef FIXED
#define FIXED 0
#endif

#define ROOM 64

struct buffer {
	pthread_mutex_t lock; /* recursive */
	size_t length;
	char bytes[ROOM];
};

static struct buffer source = {.length = 6, .bytes = "abcdef"}, target;
static size_t wrong_wanted, wrong_had;

static size_t length_of(struct buffer *buffer)
{
	pthread_mutex_lock(&buffer->lock);
	const size_t length = buffer->length;
	pthread_mutex_unlock(&buffer->lock);
	return length;
}

static void copy_bytes(struct buffer *from, size_t count, char *to)
{
	pthread_mutex_lock(&from->lock);
	if (count > from->length) {
		wrong_wanted = count;
		wrong_had = from->length;
	} else {
		memcpy(to, from->bytes, count);
	}
	pthread_mutex_unlock(&from->lock);
}

static void cut(struct buffer *buffer, size_t length)
{
	pthread_mutex_lock(&buffer->lock);
	buffer->length = length;
	pthread_mutex_unlock(&buffer->lock);
}

static void append(struct buffer *to, struct buffer *from)
{
	pthread_mutex_lock(&to->lock);
	if (FIXED)
		pthread_mutex_lock(&from->lock);
	const size_t count = length_of(from);
	copy_bytes(from, count, to->bytes + to->length);
	to->length += count;
	if (FIXED)
		pthread_mutex_unlock(&from->lock);
	pthread_mutex_unlock(&to->lock);
}

static void *appends(void *unused)
{
	append(&target, &source);
	return unused;
}

static void *cuts(void *unused)
{
	cut(&source, 0);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_mutexattr_t recursive;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&source.lock, &recursive);
	pthread_mutex_init(&target.lock, &recursive);
	pthread_create(&threads[0], NULL, appends, NULL);
	pthread_create(&threads[1], NULL, cuts, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (!wrong_wanted)
		return 0;
	printf("copied %zu of %zu bytes\n", wrong_wanted, wrong_had);
	return 1;
}
