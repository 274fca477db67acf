/* SPDX-License-Identifier: MIT */
/* Two bugs: two threads add to a number without a lock, status 1, and a third one may come before a value is set,
 * status
 * 2. Both together end with status 2. */
#include <pthread.h>

static volatile int number, value, seen = 1;

static void *add(void *unused)
{
	number = number + 1;
	return unused;
}

static void *look(void *unused)
{
	seen = value;
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, add, NULL);
	pthread_create(&threads[1], NULL, add, NULL);
	pthread_create(&threads[2], NULL, look, NULL);
	value = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return !seen ? 2 : number != 2;
}
