/* SPDX-License-Identifier: MIT */
/* Kinds of races, and beside some of them the same without a race (their names end in .fixed). Two threads each. */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
	long a, b;
};

static int counter, initialised, stop, fixed, members[8];
static volatile int volatile_counter;
static atomic_int atomic_counter, ready;
static struct pair both, *published, *_Atomic published_well;
static struct {
	unsigned low : 4, high : 4;
} bits;
static __int128 wide;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

/* Of a lock, one thread takes another one unless all is well. */
static void lock(long self)
{
	pthread_mutex_lock(fixed || !self ? &mutex : &other);
}

static void unlock(long self)
{
	pthread_mutex_unlock(fixed || !self ? &mutex : &other);
}

static void counts(long self)
{
	(void)self;
	if (fixed)
		atomic_fetch_add(&atomic_counter, 1);
	else
		counter++;
}

static void counts_in_volatile(long self)
{
	(void)self;
	volatile_counter++;
}

static void locks_another(long self)
{
	lock(self);
	counter++;
	unlock(self);
}

static void reads_without_lock(long self)
{
	if (self || fixed)
		pthread_mutex_lock(&mutex);
	members[self] = counter++;
	if (self || fixed)
		pthread_mutex_unlock(&mutex);
}

static void sets_flag(long self)
{
	if (fixed)
		atomic_store(&ready, 1);
	else if (self)
		stop = 1;
	else
		members[0] = stop;
}

static void initialises(long self)
{
	if (fixed)
		pthread_mutex_lock(&mutex);
	if (!initialised) {
		members[1] = 7;
		initialised = 1;
	}
	members[2 + self] = members[1];
	if (fixed)
		pthread_mutex_unlock(&mutex);
}

static void publishes(long self)
{
	if (self) {
		struct pair *made = malloc(sizeof(*made));
		made->a = made->b = 1;
		if (fixed)
			atomic_store_explicit(&published_well, made, memory_order_release);
		else
			published = made;
	} else {
		const struct pair *seen =
			fixed ? atomic_load_explicit(&published_well, memory_order_acquire) : published;
		members[0] = seen ? (int)seen->b : 0;
	}
}

static void copies_structures(long self)
{
	if (fixed)
		pthread_mutex_lock(&mutex);
	both = (struct pair){self, self + both.b};
	if (fixed)
		pthread_mutex_unlock(&mutex);
}

static void sets_bits(long self)
{
	if (fixed)
		pthread_mutex_lock(&mutex);
	if (self)
		bits.low++;
	else
		bits.high++;
	if (fixed)
		pthread_mutex_unlock(&mutex);
}

static void sets_wide(long self)
{
	if (fixed)
		pthread_mutex_lock(&mutex);
	wide += self + 1;
	if (fixed)
		pthread_mutex_unlock(&mutex);
}

static void uses_neighbours(long self)
{
	members[self]++;
}

static void mixes_atomics(long self)
{
	if (self || fixed)
		__atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
	else
		counter++;
}

static const struct {
	const char *name;
	void (*act)(long self);
} kinds[] = {
	{"counter", counts},
	{"volatile", counts_in_volatile},
	{"lock", locks_another},
	{"reader", reads_without_lock},
	{"flag", sets_flag},
	{"initialise", initialises},
	{"publish", publishes},
	{"structure", copies_structures},
	{"bits", sets_bits},
	{"wide", sets_wide},
	{"neighbours", uses_neighbours},
	{"mixed", mixes_atomics},
};

static void (*act)(long self);

static void *run(void *self)
{
	for (int i = 0; i < 3; i++)
		act((long)self);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	const size_t length = argc > 1 ? strcspn(argv[1], ".") : 0;
	fixed = argc > 1 && argv[1][length];
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (length && strlen(kinds[i].name) == length && !strncmp(argv[1], kinds[i].name, length))
			act = kinds[i].act;
	if (!act)
		return 2;
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
