/* SPDX-License-Identifier: MIT */
/* Variables of plain types, whose threads are ordered by atomic operations that only the source shows, or hides:
 * correct programs, with nothing that is certainly a race. The last ones race in plain sight. Two threads each. */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LOAD(x) __atomic_load_n(&(x), __ATOMIC_ACQUIRE)
#define STORE(x, value) __atomic_store_n(&(x), (value), __ATOMIC_RELEASE)
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))
#define is_set LOAD(flag)
#define set_it STORE(flag, 1)

struct node {
	int value;
	struct node *next;
};

static int flag, seen, data, results[4], shown, count;
static unsigned sequence;
static struct node first = {.value = 1}, *list = &first;
static struct state {
	int ready, done;
} state;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define shown (*(volatile int *)&shown)

static inline int load(const int *from)
{
	return __atomic_load_n(from, __ATOMIC_RELAXED);
}

static inline void store(int *to, int value)
{
	__atomic_store_n(to, value, __ATOMIC_RELAXED);
}

static void uses_builtins(long self)
{
	if (self)
		__atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
	else
		results[0] = __atomic_load_n(&flag, __ATOMIC_RELAXED);
}

static void uses_macros(long self)
{
	if (self)
		STORE(state.ready, 1);
	else
		results[0] = LOAD(state.ready);
}

static void uses_functions(long self)
{
	if (self)
		store(&state.done, 1);
	else
		results[0] = load(&state.done);
}

static void uses_once(long self)
{
	if (self)
		WRITE_ONCE(seen, 1);
	else
		results[0] = READ_ONCE(seen);
}

/* As old programs do. */
static void uses_pointers(long self)
{
	volatile struct state *at = &state;
	if (self)
		at->done = 1;
	else
		results[0] = at->done;
}

/* The names of these macros hide what they do. */
static void uses_names(long self)
{
	if (self)
		set_it;
	else
		results[0] = is_set;
}

static void uses_own_name(long self)
{
	if (self)
		shown = 1;
	else
		results[0] = shown;
}

static void uses_several_lines(long self)
{
	if (self)
		__atomic_store_n(&count, count + 1, __ATOMIC_RELAXED);
	else
		results[0] = __atomic_load_n(&count, __ATOMIC_RELAXED);
}

/* Data that are published by a flag. */
static void publishes(long self)
{
	if (self) {
		data = 7;
		STORE(flag, 1);
	} else if (LOAD(flag)) {
		results[0] = data;
	}
}

/* As in the kernel: readers follow what an updater publishes, and the old node is not used again. */
static void uses_rcu(long self)
{
	static struct node other;
	if (self) {
		other.value = 2;
		other.next = first.next;
		STORE(list, &other);
	} else {
		const struct node *at = READ_ONCE(list);
		results[0] = at->value;
	}
}

static void uses_sequence(long self)
{
	unsigned before, after;
	if (self) {
		__atomic_store_n(&sequence, 1, __ATOMIC_RELAXED);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		store(&data, 3);
		STORE(sequence, 2);
		return;
	}
	do {
		before = LOAD(sequence);
		results[1] = load(&data);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		after = LOAD(sequence);
	} while (before != after || before % 2);
}

/* Checked without the lock by an atomic load, and written with it. */
static void checks_twice(long self)
{
	if (!LOAD(flag)) {
		pthread_mutex_lock(&mutex);
		if (!flag) {
			data = 9;
			STORE(flag, 1);
		}
		pthread_mutex_unlock(&mutex);
	}
	results[self] = data;
}

static void races(long self)
{
	if (self)
		data = 1;
	else
		results[0] = data;
}

static void races_in_member(long self)
{
	if (self)
		state.ready = 1;
	while (!self && !state.ready && results[1]++ < 3)
		;
}

static void races_by_counting(long self)
{
	(void)self;
	count++;
}

static const struct {
	const char *name;
	void (*run)(long self);
} ways[] = {
	{"builtins", uses_builtins},
	{"macros", uses_macros},
	{"functions", uses_functions},
	{"once", uses_once},
	{"pointers", uses_pointers},
	{"names", uses_names},
	{"own_name", uses_own_name},
	{"several_lines", uses_several_lines},
	{"publishes", publishes},
	{"rcu", uses_rcu},
	{"sequence", uses_sequence},
	{"twice", checks_twice},
	{"races", races},
	{"member", races_in_member},
	{"counts", races_by_counting},
};

static void (*run)(long self);
static pthread_barrier_t barrier;

static void *start(void *self)
{
	pthread_barrier_wait(&barrier);
	run((long)self);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	for (unsigned i = 0; argc > 1 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(ways[i].name, argv[1]))
			run = ways[i].run;
	if (!run)
		return 2;
	pthread_barrier_init(&barrier, NULL, 2);
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, start, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
