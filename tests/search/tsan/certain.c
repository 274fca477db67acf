/* SPDX-License-Identifier: MIT */
/* Certain races of programs that are compiled with -fsanitize=thread; argv[1] names one. Most are loads and stores that
 * look in machine code like correct atomic operations. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int data, *pointer;
static char text[32], large[300000];
static volatile size_t length = sizeof(text) - 1;
static atomic_int flag, other;
static _Atomic(char *) published;
static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER, lock_b = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void *plain_0(void *unused)
{
	data = 1; /* RACE */
	return unused;
}

static void *plain_1(void *unused)
{
	data = 2; /* RACE */
	return unused;
}

/* A relaxed flag publishes nothing. */
static void *relaxed_0(void *unused)
{
	data = 1; /* RACE */
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return unused;
}

static void *relaxed_1(void *unused)
{
	while (!atomic_load_explicit(&flag, memory_order_relaxed))
		;
	data++; /* RACE */
	return unused;
}

/* The release has no acquire. */
static void *no_acquire_0(void *unused)
{
	data = 1; /* RACE */
	atomic_store_explicit(&flag, 1, memory_order_release);
	return unused;
}

static void *no_acquire_1(void *unused)
{
	while (!atomic_load_explicit(&flag, memory_order_relaxed))
		;
	data++; /* RACE */
	return unused;
}

/* The fence is behind the store that it should be before. */
static void *late_fence_0(void *unused)
{
	data = 1; /* RACE */
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	return unused;
}

static void *late_fence_1(void *unused)
{
	while (!atomic_load_explicit(&flag, memory_order_relaxed))
		;
	atomic_thread_fence(memory_order_acquire);
	data++; /* RACE */
	return unused;
}

/* Another thread's store ends the release sequence. */
static void *broken_sequence_0(void *unused)
{
	data = 1; /* RACE */
	atomic_store_explicit(&flag, 1, memory_order_release);
	return unused;
}

static void *broken_sequence_1(void *unused)
{
	while (!atomic_load_explicit(&flag, memory_order_relaxed))
		;
	atomic_store_explicit(&flag, 2, memory_order_relaxed);
	while (atomic_load_explicit(&flag, memory_order_acquire) != 2)
		;
	data++; /* RACE */
	return unused;
}

/* An atomic access beside one that is none. */
static void *mixed_0(void *unused)
{
	atomic_fetch_add(&flag, 1); /* RACE */
	return unused;
}

static void *mixed_1(void *unused)
{
	*(volatile int *)&flag = 5; /* RACE */
	return unused;
}

static void *two_locks_0(void *unused)
{
	pthread_mutex_lock(&lock_a);
	data++; /* RACE */
	pthread_mutex_unlock(&lock_a);
	return unused;
}

static void *two_locks_1(void *unused)
{
	pthread_mutex_lock(&lock_b);
	data++; /* RACE */
	pthread_mutex_unlock(&lock_b);
	return unused;
}

/* A reader's lock is held by both. */
static void *readers_0(void *unused)
{
	pthread_rwlock_rdlock(&rwlock);
	data++; /* RACE */
	pthread_rwlock_unlock(&rwlock);
	return unused;
}

static void *readers_1(void *unused)
{
	pthread_rwlock_rdlock(&rwlock);
	data++; /* RACE */
	pthread_rwlock_unlock(&rwlock);
	return unused;
}

static void *copy_0(void *unused)
{
	memset(text, 'x', length); /* RACE */
	return unused;
}

static void *copy_1(void *unused)
{
	if (strlen(text) == 7) /* RACE */
		abort();
	return unused;
}

/* Memory is freed while another thread may use it. */
static void *freed_0(void *unused)
{
	free(pointer); /* RACE */
	return unused;
}

static void *freed_1(void *unused)
{
	if (!atomic_load(&other))
		*pointer = 1; /* RACE */
	return unused;
}

/* A range that is too large for a note of each of its parts. */
static void *large_0(void *unused)
{
	memset(large + 3, 'x', length * 5000); /* RACE */
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return unused;
}

static void *large_1(void *unused)
{
	while (!atomic_load_explicit(&flag, memory_order_relaxed))
		;
	if (large[5] != 'x') /* RACE */
		abort();
	return unused;
}

static void *ranges_0(void *unused)
{
	memset(large, 'x', length * 5000); /* RACE */
	return unused;
}

static void *ranges_1(void *unused)
{
	memset(large + 5000, 'x', length * 5000); /* RACE */
	return unused;
}

/* The allocation of a large block is not ordered before its use. */
static void *allocated_0(void *unused)
{
	char *new = malloc(length * 5000); /* RACE */
	atomic_store_explicit(&published, new, memory_order_relaxed);
	return unused;
}

static void *allocated_1(void *unused)
{
	char *got;
	while (!(got = atomic_load_explicit(&published, memory_order_relaxed)))
		;
	got[length] = 1; /* RACE */
	return unused;
}

/* A stream's function reads for its caller. */
static void *stream_0(void *unused)
{
	text[0] = 'y'; /* RACE */
	return unused;
}

static void *stream_1(void *unused)
{
	fputs(text, stdout); /* RACE */
	return unused;
}

/* A descriptor is replaced while another thread may close it. */
static void *descriptor_0(void *unused)
{
	close(9); /* RACE */
	return unused;
}

static void *descriptor_1(void *unused)
{
	dup2(1, 9); /* RACE */
	return unused;
}

static const struct way {
	const char *name;
	void *(*run[2])(void *);
} ways[] = {
#define WAY(name) \
	{ \
#name, \
		{ \
			name##_0, name##_1 \
		} \
	}
	WAY(plain), WAY(relaxed),   WAY(no_acquire), WAY(late_fence), WAY(broken_sequence),
	WAY(mixed), WAY(two_locks), WAY(readers),    WAY(copy),       WAY(freed),
	WAY(large), WAY(ranges),    WAY(allocated),  WAY(descriptor), WAY(stream),
};

int main(int argc, char **argv)
{
	pthread_t threads[2];
	for (unsigned i = 0; argc == 2 && i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(argv[1], ways[i].name))
			continue;
		pointer = calloc(1, sizeof(*pointer));
		for (unsigned j = 2; j--;) /* the second one first: under fifo it comes before */
			pthread_create(&threads[j], NULL, ways[i].run[j], NULL);
		for (unsigned j = 0; j < 2; j++)
			pthread_join(threads[j], NULL);
		return 0;
	}
	fprintf(stderr, "usage: certain WAY\n");
	return 2;
}
