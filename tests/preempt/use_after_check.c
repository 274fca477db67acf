/* SPDX-License-Identifier: MIT */
/* A thread checks a state and then uses it, while another one ends the use: no store of the first thread is part of the
 * error, so only a decision point before a load finds it. Both also do much with memory of their own. Prints nothing
 * unless the error happens. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct state {
	int is_open, value;
};

static struct state *volatile current;
static volatile int errors;

#define WORK(n) \
	__attribute__((noinline)) static void work_##n(volatile int *own) \
	{ \
		own[(n) % 7] += n; \
		own[(n) % 5] ^= own[(n) % 3]; \
		own[(n) % 6] = own[(n) % 4] + 1; \
	}
#define EACH(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define ALL(X) EACH(X, 1) EACH(X, 2) EACH(X, 3) EACH(X, 4) EACH(X, 5) EACH(X, 6) EACH(X, 7)
ALL(WORK)

static void work(void)
{
	volatile int *own = calloc(8, sizeof(*own));
	if (!own)
		abort();
#define CALL(n) work_##n(own);
	ALL(CALL)
	free((void *)own);
}

static void *reader(void *unused)
{
	work();
	for (int i = 0; i < 3; i++) {
		volatile struct state *state = current;
		if (state->is_open && !state->value)
			errors++;
	}
	work();
	return unused;
}

static void *closer(void *unused)
{
	volatile struct state *state = current;
	work();
	state->is_open = 0;
	state->value = 0;
	work();
	return unused;
}

int main(void)
{
	static struct state state = {1, 1};
	pthread_t threads[2];
	current = &state;
	pthread_create(&threads[0], NULL, reader, NULL);
	pthread_create(&threads[1], NULL, closer, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (errors)
		puts("used after it was closed");
	return errors != 0;
}
