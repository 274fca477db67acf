/* SPDX-License-Identifier: MIT */
/* Bug: lock order. One thread locks a, then b; the other b, then a. Each may end up with one and wait for the other.
 * Bites: deadlock, status 120 (natively it hangs). */
#include <pthread.h>
#include <stddef.h>

#ifndef FIXED
#define FIXED 0
#endif

#define ROUNDS 3

struct account {
	pthread_mutex_t lock;
	int balance;
};

static struct account a = {PTHREAD_MUTEX_INITIALIZER, 100}, b = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount)
{
	struct account *first = FIXED ? &a : from, *second = FIXED ? &b : to;
	pthread_mutex_lock(&first->lock);
	pthread_mutex_lock(&second->lock);
	from->balance -= amount;
	to->balance += amount;
	pthread_mutex_unlock(&second->lock);
	pthread_mutex_unlock(&first->lock);
}

static void *there(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		transfer(&a, &b, 10);
	return unused;
}

static void *back(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		transfer(&b, &a, 10);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, there, NULL);
	pthread_create(&threads[1], NULL, back, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return a.balance == 100 && b.balance == 100 ? 0 : 1;
}
