/* SPDX-License-Identifier: MIT */
/* An event loop's handle that is freed while another thread still signals it: the loop closes it between the moment at
 * which the sender has taken it and that at which it marks it as busy. The memory is reused at once, so the sender
 * writes into another handle. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct handle {
	atomic_int busy, pending;
	int closing, sent;
};

static struct handle *_Atomic current;
#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static struct handle *make(void)
{
	struct handle *handle =
		malloc(sizeof(*handle)); /* not calloc(3), which takes no memory that was freed just now */
	*handle = (struct handle){0};
	return handle;
}

static void send_to(struct handle *handle)
{
	if (atomic_load_explicit(&handle->pending, memory_order_relaxed))
		return; /* somebody has signalled it already */
	atomic_store_explicit(&handle->busy, 1, memory_order_relaxed);
	if (!atomic_exchange(&handle->pending, 1))
		handle->sent++;
	atomic_store_explicit(&handle->busy, 0, memory_order_relaxed);
}

static void *sender(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
#ifdef FIXED
		pthread_mutex_lock(&lock);
#endif
		struct handle *handle = atomic_load(&current);
		if (handle)
			send_to(handle);
#ifdef FIXED
		pthread_mutex_unlock(&lock);
#endif
	}
	return NULL;
}

static void close_handle(struct handle *handle)
{
	handle->closing = 1;
	while (atomic_load_explicit(&handle->busy,
	                            memory_order_relaxed)) /* a sender that is about to be busy is not seen */
		sched_yield();
	free(handle);
}

int main(void)
{
	pthread_t thread;
	atomic_store(&current, make());
	pthread_create(&thread, NULL, sender, NULL);
#ifdef FIXED
	pthread_mutex_lock(&lock);
#endif
	struct handle *old = atomic_exchange(&current, NULL);
#ifdef FIXED
	pthread_mutex_unlock(&lock);
#endif
	close_handle(old);
	struct handle *other = make(); /* in the same place */
	pthread_join(thread, NULL);
	if (other->sent || other->pending) {
		fprintf(stderr, "a handle that nobody has signalled is pending\n");
		return 1;
	}
	free(other);
	return 0;
}
